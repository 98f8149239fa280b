package io.faasimage.bench.suite;

import io.faasimage.bench.measure.Spread;
import io.faasimage.bench.measure.StartTimes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Everything measured under one condition.
 *
 * @param facts of the configuration
 * @param series per function, the systems in the order of the configuration; those without a sample are left out
 * @param failures the starts that gave no sample
 */
public record SuiteResult(@Nullable JsonNode facts, List<Series> series, List<Failure> failures) {
    public SuiteResult {
        series = List.copyOf(series);
        failures = List.copyOf(failures);
    }

    /**
     * All runs of one function on one system.
     *
     * @param function its name
     * @param system its name
     * @param samples in the order they ran, at least one
     */
    public record Series(String function, String system, List<ColdStart> samples) {
        public Series {
            samples = List.copyOf(samples);
        }

        /** The spread of one value over the runs. */
        public Spread spread(ToDoubleFunction<ColdStart> value) {
            return Spread.of(samples.stream().mapToDouble(value).boxed().toList());
        }

        /** The spread of one time of the cold starts. */
        Spread cold(ToDoubleFunction<StartTimes> time) {
            return spread(sample -> time.applyAsDouble(sample.cold()));
        }

        /** The spread of one time of all warm starts. */
        Spread warm(ToDoubleFunction<StartTimes> time) {
            return Spread.of(samples.stream()
                    .flatMap(sample -> sample.warm().stream())
                    .mapToDouble(time)
                    .boxed()
                    .toList());
        }

        /** The spread of the cold starts' whole time. */
        public Spread total() {
            return cold(StartTimes::total);
        }
    }

    /**
     * A start that gave no sample.
     *
     * @param run from 1 on
     * @param function its name
     * @param system its name
     * @param reason of the failure
     */
    public record Failure(int run, String function, String system, String reason) {}

    /** The names of the functions, in order. */
    public List<String> functions() {
        return series.stream().map(Series::function).distinct().toList();
    }

    /** The names of the systems, in order. */
    public List<String> systems() {
        return series.stream().map(Series::system).distinct().toList();
    }

    /** The series of one function on one system. */
    public Optional<Series> series(String function, String system) {
        return series.stream()
                .filter(one -> one.function().equals(function) && one.system().equals(system))
                .findFirst();
    }

    /**
     * How many times shorter {@code system} is than {@code baseline} for {@code function}, by the medians of the total.
     */
    public Optional<Double> ratio(String function, String baseline, String system) {
        return series(function, baseline)
                .flatMap(base -> series(function, system)
                        .map(other -> base.total().median() / other.total().median()));
    }

    /** The geometric mean of each system's ratio to the first, over the functions that both have. */
    public Map<String, Double> geometricMeans() {
        Map<String, Double> means = new LinkedHashMap<>();
        for (String system : systems()) {
            List<Double> ratios = new ArrayList<>();
            functions().forEach(f -> ratio(f, systems().getFirst(), system).ifPresent(ratios::add));
            if (!ratios.isEmpty()) {
                double logarithms = ratios.stream().mapToDouble(Math::log).sum();
                means.put(system, Math.exp(logarithms / ratios.size()));
            }
        }
        return means;
    }
}
