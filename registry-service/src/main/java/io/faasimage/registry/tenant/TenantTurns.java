package io.faasimage.registry.tenant;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The order in which tenants are served: in turns, beginning after the one that was served last, so that the hundred
 * jobs of one do not hold up another's only one for longer than one of them takes. Thread-safe.
 */
@Component
public class TenantTurns {
    private final Tenants tenants;
    private volatile String last = "";

    TenantTurns(Tenants tenants) {
        this.tenants = tenants;
    }

    /** All tenants, the next one first. */
    public List<TenantName> next() {
        return after(last, tenants.names());
    }

    /** A tenant was served. */
    public void served(TenantName tenant) {
        last = tenant.text();
    }

    /** The names in their order, those after {@code last} first. */
    static List<TenantName> after(String last, List<TenantName> names) {
        List<TenantName> turns = new ArrayList<>(names.size());
        names.stream().filter(name -> name.text().compareTo(last) > 0).forEach(turns::add);
        names.stream().filter(name -> name.text().compareTo(last) <= 0).forEach(turns::add);
        return turns;
    }
}
