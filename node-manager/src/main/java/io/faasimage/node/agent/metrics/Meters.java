package io.faasimage.node.agent.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The metrics of one part of the node; their names begin with {@code faasimage_node_}. */
public abstract class Meters {
    /** Bounds for durations from milliseconds to minutes, in seconds. */
    static final double[] DURATIONS = {0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

    private static final String PREFIX = "faasimage_node_";

    private final List<Collector> all = new ArrayList<>();

    Meters() {}

    /** Takes one value and the values of its labels. */
    @FunctionalInterface
    interface Sink {
        void take(double value, String... labels);

        /** Takes a count; counts beyond the exact integers of a double do not occur. */
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
        all.add(CounterWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .callback(callback -> source.give(callback::call))
                .build());
    }

    void gauge(String name, String help, DoubleSupplier value) {
        gauges(name, help, sink -> sink.take(value.getAsDouble()));
    }

    void gauges(String name, String help, Source source, String... labels) {
        all.add(GaugeWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .callback(callback -> source.give(callback::call))
                .build());
    }

    Histogram seconds(String name, String help, double[] bounds, String... labels) {
        return added(Histogram.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .build());
    }

    Counter counter(String name, String help, String... labels) {
        return added(Counter.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .withoutExemplars()
                .build());
    }

    private <C extends Collector> C added(C collector) {
        all.add(collector);
        return collector;
    }

    /**
     * Reads the values that must be consistent among these. Called before they are read; by one thread at a time.
     */
    void refresh() {}

    /** Has {@code registry} read these. */
    void registerWith(PrometheusRegistry registry) {
        all.forEach(registry::register);
    }
}
