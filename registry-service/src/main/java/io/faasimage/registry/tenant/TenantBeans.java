package io.faasimage.registry.tenant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;

/** The beans of each tenant, made when the tenant needs them first. Thread-safe. */
final class TenantBeans implements Scope {
    static final String SCOPE = "tenant";

    private static final class Beans {
        private final Map<String, Object> byName = new HashMap<>();
        private final List<Runnable> ends = new ArrayList<>();
    }

    private final Map<TenantName, Beans> tenants = new HashMap<>();

    private synchronized Beans beans() {
        return tenants.computeIfAbsent(TenantScope.current(), _ -> new Beans());
    }

    @Override
    public Object get(String name, ObjectFactory<?> factory) {
        Beans beans = beans();
        synchronized (beans) {
            Object known = beans.byName.get(name);
            if (known == null) {
                known = factory.getObject();
                beans.byName.put(name, known);
            }
            return known;
        }
    }

    /** Not supported: a tenant's beans end together. */
    @Override
    public Object remove(String name) {
        throw new UnsupportedOperationException("beans of a tenant end with the tenant");
    }

    @Override
    public void registerDestructionCallback(String name, Runnable end) {
        Beans beans = beans();
        synchronized (beans) {
            beans.ends.add(end);
        }
    }

    /** Ends what a tenant's beans do. */
    void end(TenantName tenant) {
        Beans beans;
        synchronized (this) {
            beans = tenants.remove(tenant);
        }
        if (beans != null) {
            beans.ends.reversed().forEach(Runnable::run);
        }
    }

    /** Ends what the beans of all tenants do. */
    void endAll() {
        List<TenantName> all;
        synchronized (this) {
            all = List.copyOf(tenants.keySet());
        }
        all.forEach(this::end);
    }
}
