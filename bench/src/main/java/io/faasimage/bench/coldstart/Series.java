package io.faasimage.bench.coldstart;

import io.faasimage.bench.measure.Spread;
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
public record Series(String condition, String function, String system, List<Sample> samples) {
    /** Copies the samples. */
    public Series {
        samples = List.copyOf(samples);
    }

    /** Of what its name says. */
    Spread pull() {
        return spread(Sample::pull);
    }

    /** Of what its name says. */
    Spread start() {
        return spread(Sample::start);
    }

    /** Of what its name says. */
    Spread answer() {
        return spread(Sample::answer);
    }

    /** Of what its name says. */
    Spread total() {
        return spread(Sample::total);
    }

    /** Of what its name says. */
    Spread bytes() {
        return spread(Sample::bytes);
    }

    private Spread spread(ToDoubleFunction<Sample> value) {
        return Spread.of(samples.stream().map(value::applyAsDouble).toList());
    }
}
