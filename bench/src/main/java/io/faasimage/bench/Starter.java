package io.faasimage.bench;

import io.faasimage.bench.BenchConfig.ContainerSystem;
import io.faasimage.bench.BenchConfig.Function;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Does one start of one function on one system, and measures it. */
final class Starter {
    private final Commands commands;
    private final int port;
    private final Duration limit;
    private final Path received;
    private int started;

    Starter(BenchConfig config, Commands commands) {
        this.commands = commands;
        port = config.port();
        limit = Duration.ofSeconds(config.limitSeconds());
        received = Path.of("/sys/class/net", config.networkInterface(), "statistics/rx_bytes");
    }

    /** Pulls, starts, waits for the first answer, and removes the container. */
    Sample cold(ContainerSystem system, Function function) throws IOException, InterruptedException {
        return start(system, function, system.pull());
    }

    /** The same of an image that is there. */
    Sample warm(ContainerSystem system, Function function) throws IOException, InterruptedException {
        return start(system, function, List.of());
    }

    private Sample start(ContainerSystem system, Function function, List<String> pull)
            throws IOException, InterruptedException {
        HttpProbe probe = new HttpProbe(port, function.path());
        if (probe.isTaken()) {
            throw new IOException("port " + port + " already answers: a container of an earlier run is still there, or"
                    + " another program; stop it or choose another port");
        }
        Map<String, String> values = Map.of(
                "image", function.image(),
                "id", "bench-%d-%d".formatted(ProcessHandle.current().pid(), ++started),
                "port", Integer.toString(port));
        long bytes = receivedBytes();
        long begin = System.nanoTime();
        commands.run(Commands.fill(pull, values));
        long pulled = System.nanoTime();
        try {
            commands.run(Commands.fill(system.start(), values));
            long running = System.nanoTime();
            long answered = probe.awaitAnswer(limit);
            return new Sample(
                    pull.isEmpty() ? 0 : millis(pulled - begin),
                    millis(running - pulled),
                    millis(answered - running),
                    millis(answered - begin),
                    receivedBytes() - bytes);
        } finally {
            commands.run(Commands.fill(system.stop(), values));
        }
    }

    private long receivedBytes() throws IOException {
        return Long.parseLong(Files.readString(received).strip());
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
