package io.faasimage.registry.tenancy;

import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.registry.tenant.Tenants;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The enforcement of what the present tenant may store and build. Two requests at the same moment may both be the last
 * one that is admitted. Not to be called in a transaction. Thread-safe.
 */
@Component
public class Quotas {
    private final Tenants tenants;
    private final JdbcClient jdbc;

    Quotas(Tenants tenants, JdbcClient jdbc) {
        this.tenants = tenants;
        this.jdbc = jdbc;
    }

    /**
     * Checks that one more function may be registered.
     *
     * @throws ProblemException when the tenant has as many as it may
     */
    public void admitFunction() {
        check("functions", tenants.quotas().functions(), "functions", () -> count("SELECT COUNT(*) FROM functions"));
    }

    /**
     * Checks that more may be stored.
     *
     * @throws ProblemException when the tenant has stored as much as it may
     */
    public void admitBytes() {
        check("bytes", tenants.quotas().storedBytes(), "stored bytes", this::storedBytes);
    }

    /** Bytes of the present tenant's objects and metadata images, as stored. */
    public long storedBytes() {
        return count("SELECT COALESCE((SELECT SUM(stored_length) FROM objects), 0)"
                + " + COALESCE((SELECT SUM(stored_length) FROM metadata_images), 0)");
    }

    private long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    private static void check(String quota, @Nullable Number limit, String unit, LongSupplier used) {
        if (limit != null && used.getAsLong() >= limit.longValue()) {
            throw new ProblemException(
                    ProblemKind.QUOTA, exceeded(TenantScope.current(), quota, limit.longValue(), unit));
        }
    }

    static String exceeded(TenantName tenant, String quota, long limit, String unit) {
        return "the quota '" + quota + "' of tenant '" + tenant + "' is " + limit + " " + unit
                + " and is used up; remove what is not needed, or have an operator raise it with 'faasimage tenant set "
                + tenant + " --" + quota + " N'";
    }
}
