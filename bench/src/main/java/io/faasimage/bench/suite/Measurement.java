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
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One cold start of one function on one system, on a node that is prepared for it, and warm ones after it. */
final class Measurement {
    private static final Duration QUIET = Duration.ofMillis(500);

    private final Commands commands;
    private final ContainerStart starts;
    private final ReceivedBytes received;
    private final Duration settle;
    private final int warmRuns;

    Measurement(SuiteConfig config) {
        Duration limit = Duration.ofSeconds(config.limitSeconds());
        commands = new Commands(limit);
        starts = new ContainerStart(commands, config.port(), limit);
        received = new ReceivedBytes(config.networkInterface());
        settle = Duration.ofSeconds(config.settleSeconds());
        warmRuns = config.warmRuns();
    }

    /** The values that are known while the container of the cold start still runs. */
    private record Cold(
            StartTimes times,
            long answerBytes,
            long received,
            long disk,
            Optional<Long> onDemand,
            Map<String, ProcessUsage> usage) {}

    /**
     * The cold start and the warm ones.
     *
     * @throws IOException when a command fails or no right answer comes; the node is removed then, too
     */
    ColdStart of(ContainerSystem system, Function function) throws IOException, InterruptedException {
        try {
            commands.run(Commands.fill(system.prepare(), Map.of("node", function.node(), "image", function.image())));
            long bytes = received.now();
            double cpu = cpuSeconds(usage(system));
            Cold cold = starts.run(
                    system.cold(), function.target(), times -> observe(system, times, received.now() - bytes));
            Optional<Long> requests = count(system.fuseRequests());
            long warmBytes = received.now();
            List<StartTimes> warm = new ArrayList<>();
            for (int i = 0; i < warmRuns; i++) {
                warm.add(starts.run(system.warm(), function.target(), times -> times));
            }
            return new ColdStart(
                    cold.times(),
                    warm,
                    cold.answerBytes(),
                    cold.received() - bytes,
                    (received.now() - warmBytes) / warmRuns,
                    cold.disk(),
                    cold.onDemand().orElse(null),
                    count(system.fuseRequests())
                            .map(after -> after - requests.orElseThrow())
                            .orElse(null),
                    cpuSeconds(cold.usage()) - cpu,
                    bytes(cold.usage(), ProcessUsage::peakBytes),
                    bytes(usage(system), ProcessUsage::residentBytes));
        } finally {
            commands.run(system.finish());
        }
    }

    private Cold observe(ContainerSystem system, StartTimes times, long answerBytes)
            throws IOException, InterruptedException {
        received.awaitQuiet(QUIET, settle);
        Map<String, ProcessUsage> usage = usage(system);
        Optional<Long> onDemand = count(system.onDemand());
        return new Cold(times, answerBytes, received.now(), disk(system), onDemand, usage);
    }

    private Optional<Long> count(@Nullable Counter counter) throws IOException, InterruptedException {
        return counter == null ? Optional.empty() : Optional.of(counter.read(commands));
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

    private static Map<String, Long> bytes(Map<String, ProcessUsage> usage, ToLongFunction<ProcessUsage> of) {
        return usage.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, process -> of.applyAsLong(process.getValue())));
    }

    private static double cpuSeconds(Map<String, ProcessUsage> usage) {
        return usage.values().stream().mapToDouble(ProcessUsage::cpuSeconds).sum();
    }
}
