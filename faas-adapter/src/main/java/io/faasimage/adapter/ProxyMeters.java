package io.faasimage.adapter;

import io.faasimage.adapter.contract.Route;
import io.faasimage.adapter.proxy.ExchangeMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * {@code faasimage_adapter_exchange_seconds} by route and class of status, and the provider's failures. Thread-safe.
 */
@Component
class ProxyMeters implements ExchangeMeters {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyMeters.class);
    private static final int CLASSES = 6;
    private static final Duration[] LATENCIES = Stream.of(5, 25, 100, 250, 500, 1000, 2500, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);
    private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Route, Timer[]> timers = new EnumMap<>(Route.class);
    private final Counter failures;
    private final AtomicLong nextSaid = new AtomicLong(System.nanoTime());

    ProxyMeters(MeterRegistry registry) {
        for (Route route : Route.values()) {
            Timer[] byClass = new Timer[CLASSES];
            for (int i = 0; i < CLASSES; i++) {
                byClass[i] = Timer.builder("faasimage.adapter.exchange")
                        .description("requests from head to end of answer")
                        .tag("route", route.label())
                        .tag("status", i == 0 ? "none" : i + "xx")
                        .serviceLevelObjectives(LATENCIES)
                        .register(registry);
            }
            timers.put(route, byClass);
        }
        failures = Counter.builder("faasimage.adapter.provider.failures")
                .description("requests that the provider did not answer, or not to the end")
                .register(registry);
    }

    @Override
    public void ended(String method, String uri, int status, long nanos) {
        Timer[] byClass = timers.get(Route.of(method, uri));
        if (byClass != null) {
            byClass[Math.clamp(status / 100, 0, CLASSES - 1)].record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Logged every ten seconds at most: with the provider down, each request fails. */
    @Override
    public void providerFailed(String reason) {
        failures.increment();
        long now = System.nanoTime();
        long next = nextSaid.get();
        if (now - next >= 0 && nextSaid.compareAndSet(next, now + SAY_NANOS)) {
            LOG.warn("a request failed at the provider: {}", reason);
        }
    }
}
