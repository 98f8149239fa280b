package io.faasimage.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All runs of one function on one system under one condition.
 *
 * @param condition {@code cold} or {@code warm}
 * @param function its name
 * @param system its name
 * @param samples in the order they ran
 */
record Series(String condition, String function, String system, List<Sample> samples) {
    /** Copies the samples. */
    Series {
        samples = List.copyOf(samples);
    }

    Spread pull() {
        return spread(Sample::pull);
    }

    Spread start() {
        return spread(Sample::start);
    }

    Spread answer() {
        return spread(Sample::answer);
    }

    Spread total() {
        return spread(Sample::total);
    }

    Spread bytes() {
        return spread(Sample::bytes);
    }

    private Spread spread(ToDoubleFunction<Sample> value) {
        return Spread.of(samples.stream().map(value::applyAsDouble).toList());
    }
}
