package io.faasimage.bench.coldstart;

import io.faasimage.bench.coldstart.BenchConfig.ContainerSystem;
import io.faasimage.bench.coldstart.BenchConfig.Function;
import io.faasimage.bench.measure.Commands;
import io.faasimage.bench.measure.Counter;
import io.faasimage.bench.measure.ProcessUsage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The comparison: in every run each system in turn starts the functions one after the other on an emptied node, so that
 * noise of the machine meets all of them; then warm starts, also in turn.
 */
public final class ColdStartBench {
    private final BenchConfig config;
    private final Commands commands;
    private final Starter starter;
    private final PrintStream progress;
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

    /** A bench that says on {@code progress} what it measured. */
    public ColdStartBench(BenchConfig config, PrintStream progress) {
        this.config = config;
        this.progress = progress;
        commands = new Commands(Duration.ofSeconds(config.limitSeconds()));
        starter = new Starter(config, commands);
    }

    /** Measures everything. */
    public BenchResult run() throws IOException, InterruptedException {
        List<Series> cold = cold();
        List<Series> warm = new ArrayList<>();
        Long requests = config.warmRuns() == 0 ? null : warm(warm);
        return new BenchResult(config.facts(), cold, warm, requests, resident());
    }

    private List<Series> cold() throws IOException, InterruptedException {
        samples.clear();
        for (int run = 1; run <= config.runs(); run++) {
            for (ContainerSystem system : config.systems()) {
                commands.run(config.empty());
                for (Function function : config.functions()) {
                    commands.run(config.dropCaches());
                    record("cold", run, system, function, starter.cold(system, function));
                }
            }
        }
        return series("cold", config.functions());
    }

    /** The count of FUSE requests in all measured warm starts; null when nobody counts them. */
    private @Nullable Long warm(List<Series> warm) throws IOException, InterruptedException {
        samples.clear();
        Function function = config.functions().getFirst();
        commands.run(config.prepareWarm());
        for (ContainerSystem system : config.systems()) {
            // Not measured: brings the files into the page cache, of both systems alike.
            starter.warm(system, function);
        }
        Counter counter = config.fuseRequests();
        long before = counter == null ? 0 : counter.read(commands);
        for (int run = 1; run <= config.warmRuns(); run++) {
            for (ContainerSystem system : config.systems()) {
                record("warm", run, system, function, starter.warm(system, function));
            }
        }
        warm.addAll(series("warm", List.of(function)));
        return counter == null ? null : Long.valueOf(counter.read(commands) - before);
    }

    private void record(String condition, int run, ContainerSystem system, Function function, Sample sample) {
        samples.computeIfAbsent(function.name() + "\n" + system.name(), key -> new ArrayList<>())
                .add(sample);
        progress.printf(
                "  %s %-10s run %d  %-10s %7.0f ms  %6.1f MB%n",
                condition, function.name(), run, system.name(), sample.total(), sample.bytes() / 1e6);
        progress.flush();
    }

    private List<Series> series(String condition, List<Function> functions) {
        List<Series> all = new ArrayList<>();
        for (Function function : functions) {
            for (ContainerSystem system : config.systems()) {
                List<Sample> of = samples.getOrDefault(function.name() + "\n" + system.name(), List.of());
                all.add(new Series(condition, function.name(), system.name(), of));
            }
        }
        return all;
    }

    private Map<String, Long> resident() throws IOException {
        Map<String, Long> resident = new TreeMap<>();
        for (Map.Entry<String, String> process : config.processes().entrySet()) {
            resident.put(
                    process.getKey(),
                    ProcessUsage.of(Path.of(process.getValue())).residentBytes());
        }
        return resident;
    }
}
