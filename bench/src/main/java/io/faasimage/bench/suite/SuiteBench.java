package io.faasimage.bench.suite;

import static java.util.Locale.ROOT;

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
 * The suite: in every run each function is started on each system in turn, so that noise of the machine meets all of
 * them. A start that fails is noted, and the others go on.
 */
public final class SuiteBench {
    private record Cell(String function, String system) {}

    private final SuiteConfig config;
    private final Measurement measurement;
    private final PrintStream progress;
    private final Map<Cell, List<ColdStart>> samples = new HashMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private int done;

    /** A suite that says on {@code progress} what it measured. */
    public SuiteBench(SuiteConfig config, PrintStream progress) {
        this.config = config;
        this.progress = progress;
        measurement = new Measurement(config);
    }

    /** Measures everything. */
    public SuiteResult run() throws InterruptedException {
        for (int run = 1; run <= config.runs(); run++) {
            for (Function function : config.functions()) {
                for (ContainerSystem system : order(run)) {
                    measure(run, function, system);
                }
            }
        }
        return new SuiteResult(config.facts(), series(), failures);
    }

    /**
     * Each begins in its turn: what a system leaves to the next (memory that the host took back, a busy disk) is not
     * always the same one's.
     */
    private List<ContainerSystem> order(int run) {
        List<ContainerSystem> order = new ArrayList<>(config.systems());
        Collections.rotate(order, 1 - run);
        return order;
    }

    private void measure(int run, Function function, ContainerSystem system) throws InterruptedException {
        try {
            ColdStart sample = measurement.of(system, function);
            samples.computeIfAbsent(new Cell(function.name(), system.name()), cell -> new ArrayList<>())
                    .add(sample);
            say(
                    run,
                    function,
                    system,
                    String.format(
                            ROOT,
                            "%7.3f s  (pull %.3f, start %.3f, answer %.3f; warm %.3f)  %.1f MB",
                            sample.total(),
                            sample.pull(),
                            sample.start(),
                            sample.answer(),
                            sample.warm(),
                            sample.bytes() / 1e6));
        } catch (IOException e) {
            failures.add(new Failure(run, function.name(), system.name(), String.valueOf(e.getMessage())));
            say(run, function, system, "failed: " + e.getMessage());
        }
    }

    private void say(int run, Function function, ContainerSystem system, String text) {
        int all = config.runs() * config.functions().size() * config.systems().size();
        progress.printf("[%3d/%d] run %d  %-14s %-10s %s%n", ++done, all, run, function.name(), system.name(), text);
        progress.flush();
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
