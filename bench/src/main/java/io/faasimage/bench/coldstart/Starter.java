package io.faasimage.bench.coldstart;

import io.faasimage.bench.coldstart.BenchConfig.ContainerSystem;
import io.faasimage.bench.coldstart.BenchConfig.Function;
import io.faasimage.bench.measure.Commands;
import io.faasimage.bench.measure.ContainerStart;
import io.faasimage.bench.measure.ReceivedBytes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Does one start of one function on one system, and measures it. */
final class Starter {
    private final ContainerStart starts;
    private final ReceivedBytes received;

    Starter(BenchConfig config, Commands commands) {
        starts = new ContainerStart(commands, config.port(), Duration.ofSeconds(config.limitSeconds()));
        received = new ReceivedBytes(config.networkInterface());
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
        long bytes = received.now();
        return starts.run(
                new ContainerStart.Steps(pull, system.start(), system.stop()),
                new ContainerStart.Target(function.image(), function.path(), ""),
                times -> new Sample(
                        millis(times.pull()),
                        millis(times.start()),
                        millis(times.answer()),
                        millis(times.total()),
                        received.now() - bytes));
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
