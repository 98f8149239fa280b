package io.faasimage.bench.suite;

import static java.util.Locale.ROOT;

import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.SuiteConfig.ContainerSystem;
import io.faasimage.bench.suite.SuiteConfig.Function;
import io.faasimage.bench.suite.SuiteResult.Failure;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The suite: in every run each function is started on each system in turn, or each system starts all functions in
 * turn, so that noise of the machine meets all of them. A start that fails is recorded.
 */
public final class SuiteBench {
    private record Cell(String function, String system) {}

    private record Start(int run, Function function, ContainerSystem system) {}

    private final SuiteConfig config;
    private final Measurement measurement;
    private final PrintStream progress;
    private final Map<Cell, List<ColdStart>> samples = new HashMap<>();
    private final List<Failure> failures = new ArrayList<>();

    /** A suite that reports its measurements on {@code progress}. */
    public SuiteBench(SuiteConfig config, PrintStream progress) {
        this.config = config;
        this.progress = progress;
        measurement = new Measurement(config);
    }

    /** Measures everything. */
    public SuiteResult run() throws InterruptedException {
        List<Start> starts = starts();
        for (int i = 0; i < starts.size() && (failures.isEmpty() || !config.oneNode()); i++) {
            progress.printf("[%3d/%d] ", i + 1, starts.size());
            measure(starts.get(i));
            progress.flush();
        }
        return new SuiteResult(config.facts(), series(), failures);
    }

    private List<Start> starts() {
        List<List<Function>> nodes = config.oneNode()
                ? List.of(config.functions())
                : config.functions().stream().map(List::of).toList();
        List<Start> starts = new ArrayList<>();
        for (int run = 1; run <= config.runs(); run++) {
            for (List<Function> functions : nodes) {
                for (ContainerSystem system : order(run)) {
                    for (Function function : functions) {
                        starts.add(new Start(run, function, system));
                    }
                }
            }
        }
        return starts;
    }

    /**
     * Each begins in its turn: the after-effects of a system on the next (memory that the host took back, a busy disk)
     * do not always meet the same one.
     */
    private List<ContainerSystem> order(int run) {
        List<ContainerSystem> order = new ArrayList<>(config.systems());
        Collections.rotate(order, 1 - run);
        return order;
    }

    private void measure(Start start) throws InterruptedException {
        String function = start.function().name();
        String system = start.system().name();
        progress.printf("run %d  %-14s %-10s ", start.run(), function, system);
        try {
            ColdStart sample = measurement.of(start.system(), start.function());
            samples.computeIfAbsent(new Cell(function, system), cell -> new ArrayList<>())
                    .add(sample);
            StartTimes cold = sample.cold();
            progress.printf(
                    ROOT,
                    "%7.3f s  (pull %.3f, start %.3f, answer %.3f; warm %.3f)  %.1f MB%n",
                    cold.total(),
                    cold.pull(),
                    cold.start(),
                    cold.answer(),
                    sample.warm().getFirst().total(),
                    sample.bytes() / 1e6);
        } catch (IOException e) {
            failures.add(new Failure(start.run(), function, system, String.valueOf(e.getMessage())));
            progress.printf("failed: %s%n", e.getMessage());
        }
    }

    private List<Series> series() {
        List<Series> all = new ArrayList<>();
        for (Function function : config.functions()) {
            for (ContainerSystem system : config.systems()) {
                List<ColdStart> of = samples.get(new Cell(function.name(), system.name()));
                if (of != null) {
                    all.add(new Series(function.name(), system.name(), of));
                }
            }
        }
        return all;
    }
}
