package io.faasimage.registry.tenancy;

import io.faasimage.registry.tenant.TenantName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The buckets of tenants' requests, each of which takes ten seconds' worth at once. Thread-safe. */
final class RequestRates {
    private static final int SECONDS = 10;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Level(double requests, long at) {}

    private final LongSupplier nanos;
    private final Map<TenantName, Level> levels = new ConcurrentHashMap<>();

    /** Full buckets; {@code nanos} is the time. */
    RequestRates(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether one more is within {@code limit} a second; then it is counted. */
    boolean isAdmitted(TenantName tenant, int limit) {
        long now = nanos.getAsLong();
        double most = (double) limit * SECONDS;
        boolean[] admitted = {false};
        levels.compute(tenant, (_, level) -> {
            double left = level == null ? most : Math.min(most, level.requests() + (now - level.at()) / NANOS * limit);
            admitted[0] = left >= 1;
            return new Level(admitted[0] ? left - 1 : left, now);
        });
        return admitted[0];
    }
}
