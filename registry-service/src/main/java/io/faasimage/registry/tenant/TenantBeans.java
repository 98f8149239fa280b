package io.faasimage.registry.tenant;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;

/** The beans of each tenant, made when the tenant needs them first. Thread-safe. */
final class TenantBeans implements Scope {
    static final String SCOPE = "tenant";

    private static final class Beans {
        private final Map<String, Object> byName = new HashMap<>();
        private final SequencedMap<String, Runnable> ends = new LinkedHashMap<>();
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

    /** Takes a bean of the current tenant away without ending it. */
    @Override
    public @Nullable Object remove(String name) {
        Beans beans = beans();
        synchronized (beans) {
            beans.ends.remove(name);
            return beans.byName.remove(name);
        }
    }

    @Override
    public void registerDestructionCallback(String name, Runnable end) {
        Beans beans = beans();
        synchronized (beans) {
            beans.ends.put(name, end);
        }
    }

    /** Ends what a tenant's beans do. */
    void end(TenantName tenant) {
        Beans beans;
        synchronized (this) {
            beans = tenants.remove(tenant);
        }
        if (beans != null) {
            beans.ends.sequencedValues().reversed().forEach(Runnable::run);
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
