package io.faasimage.adapter;

import io.faasimage.adapter.proxy.ProxyCounts;
import io.faasimage.adapter.proxy.ProxyServer;
import io.faasimage.adapter.registration.Registrations;
import io.faasimage.adapter.registration.TraceWatch;
import io.faasimage.adapter.warm.WarmHints;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/** The meters {@code faasimage_adapter_*}. */
@Component
class AdapterMeters implements MeterBinder {
    private static final String PREFIX = "faasimage.adapter.";

    private final ProxyServer proxy;
    private final Registrations registrations;
    private final TraceWatch traces;
    private final WarmHints hints;

    AdapterMeters(ProxyServer proxy, Registrations registrations, TraceWatch traces, WarmHints hints) {
        this.proxy = proxy;
        this.registrations = registrations;
        this.traces = traces;
        this.hints = hints;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "clients", "client connections", proxy.counts(), ProxyCounts::clients);
        gauge(registry, "exchanges.open", "requests under way", proxy.counts(), ProxyCounts::exchanges);
        gauge(registry, "registrations.pending", "functions that wait", registrations, Registrations::pending);
        count(registry, "registrations.granted", "changes applied", registrations, Registrations::applied);
        count(registry, "registrations.failed", "failed attempts", registrations, Registrations::failed);
        count(registry, "registrations.lost", "changes given up", registrations, Registrations::lost);
        gauge(registry, "traces.waiting", "functions whose trace is awaited", traces, TraceWatch::waiting);
        count(registry, "traces.missing", "functions of which no trace came", traces, TraceWatch::missed);
        count(registry, "hints.sent", "warm hints that nodes took", hints, WarmHints::sent);
        count(registry, "hints.failed", "warm hints that failed", hints, WarmHints::failed);
        count(registry, "hints.dropped", "warm hints without room", hints, WarmHints::dropped);
    }

    private static <T> void gauge(
            MeterRegistry registry, String name, String description, T source, ToDoubleFunction<T> value) {
        Gauge.builder(PREFIX + name, source, value).description(description).register(registry);
    }

    private static <T> void count(
            MeterRegistry registry, String name, String description, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(PREFIX + name, source, value)
                .description(description)
                .register(registry);
    }
}
