package io.faasimage.bench.suite;

import io.faasimage.bench.measure.Commands;
import io.faasimage.bench.measure.ContainerStart;
import io.faasimage.bench.measure.Counter;
import io.faasimage.bench.measure.ProcessUsage;
import io.faasimage.bench.measure.ReceivedBytes;
import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.SuiteConfig.ContainerSystem;
import io.faasimage.bench.suite.SuiteConfig.Function;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Does one cold start of one function on one system, from a node that is made for it and removed after it. */
final class Measurement {
    private static final Duration QUIET = Duration.ofMillis(500);

    private final Commands commands;
    private final ContainerStart starts;
    private final ReceivedBytes received;
    private final Duration settle;

    Measurement(SuiteConfig config) {
        Duration limit = Duration.ofSeconds(config.limitSeconds());
        commands = new Commands(limit);
        starts = new ContainerStart(commands, config.port(), limit);
        received = new ReceivedBytes(config.networkInterface());
        settle = Duration.ofSeconds(config.settleSeconds());
    }

    /**
     * The cold start, and a warm one after it.
     *
     * @throws IOException when a command fails or no right answer comes; the node is removed then, too
     */
    ColdStart of(ContainerSystem system, Function function) throws IOException, InterruptedException {
        try {
            commands.run(
                    Commands.fill(system.prepare(), Map.of("runtime", function.runtime(), "image", function.image())));
            long bytes = received.now();
            double cpu = cpuSeconds(usage(system));
            Cold cold = starts.run(
                    system.cold(), function.target(), times -> observe(system, times, received.now() - bytes));
            double warm = starts.run(system.warm(), function.target(), times -> seconds(times.total()));
            return sample(cold, warm, bytes, cpu);
        } finally {
            commands.run(system.finish());
        }
    }

    /** What is known while the container of the cold start still runs. */
    private record Cold(
            StartTimes times,
            long answerBytes,
            long received,
            long disk,
            long onDemand,
            boolean counted,
            Map<String, ProcessUsage> usage) {}

    private Cold observe(ContainerSystem system, StartTimes times, long answerBytes)
            throws IOException, InterruptedException {
        received.awaitQuiet(QUIET, settle);
        Map<String, ProcessUsage> usage = usage(system);
        Counter counter = system.onDemand();
        long onDemand = counter == null ? 0 : counter.read(commands);
        return new Cold(times, answerBytes, received.now(), disk(system), onDemand, counter != null, usage);
    }

    private static ColdStart sample(Cold cold, double warm, long bytesBefore, double cpuBefore) {
        Map<String, Long> peaks = new HashMap<>();
        cold.usage().forEach((name, usage) -> peaks.put(name, usage.peakBytes()));
        StartTimes times = cold.times();
        return new ColdStart(
                seconds(times.pull()),
                seconds(times.start()),
                seconds(times.answer()),
                seconds(times.total()),
                warm,
                cold.answerBytes(),
                cold.received() - bytesBefore,
                cold.disk(),
                cold.counted() ? Long.valueOf(cold.onDemand()) : null,
                cpuSeconds(cold.usage()) - cpuBefore,
                peaks);
    }

    private long disk(ContainerSystem system) throws IOException, InterruptedException {
        List<String> du =
                new ArrayList<>(List.of("du", "--one-file-system", "--summarize", "--total", "--block-size=1"));
        du.addAll(system.disk());
        String last = commands.run(du).lines().toList().getLast();
        return Long.parseLong(last.split("\\s")[0]);
    }

    private static Map<String, ProcessUsage> usage(ContainerSystem system) throws IOException {
        Map<String, ProcessUsage> usage = new HashMap<>();
        for (Map.Entry<String, String> process : system.processes().entrySet()) {
            usage.put(process.getKey(), ProcessUsage.of(Path.of(process.getValue())));
        }
        return usage;
    }

    private static double cpuSeconds(Map<String, ProcessUsage> usage) {
        return usage.values().stream().mapToDouble(ProcessUsage::cpuSeconds).sum();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
