package io.faasimage.node.metrics;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.DoubleSupplier;

/** Makes meters whose names begin with {@code faasimage_node_}. */
final class Meters {
    private static final String PREFIX = "faasimage_node_";

    private final PrometheusRegistry registry;

    Meters(PrometheusRegistry registry) {
        this.registry = registry;
    }

    /** Takes one value and the values of its labels. */
    @FunctionalInterface
    interface Sink {
        void take(double value, String... labels);

        /** As above; counts beyond what a double can name exactly do not occur. */
        default void take(long value, String... labels) {
            take((double) value, labels);
        }
    }

    /** Gives all values of a meter. */
    @FunctionalInterface
    interface Source {
        void give(Sink sink);
    }

    void count(String name, String help, DoubleSupplier value) {
        counts(name, help, sink -> sink.take(value.getAsDouble()));
    }

    void counts(String name, String help, Source source, String... labels) {
        CounterWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .callback(callback -> source.give(callback::call))
                .register(registry);
    }

    void gauge(String name, String help, DoubleSupplier value) {
        gauges(name, help, sink -> sink.take(value.getAsDouble()));
    }

    void gauges(String name, String help, Source source, String... labels) {
        GaugeWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .callback(callback -> source.give(callback::call))
                .register(registry);
    }

    Histogram seconds(String name, String help, double[] bounds, String... labels) {
        return Histogram.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .register(registry);
    }
}
