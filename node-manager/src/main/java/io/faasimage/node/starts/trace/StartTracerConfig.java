package io.faasimage.node.starts.trace;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of {@link StartTracer}.
 *
 * @param directory where root file systems are mounted; short, as it is in mount options
 * @param maxRuns how many starts are traced at once
 * @param maxArmed how many images may wait for a start to be traced
 * @param armedFor how long they wait
 * @param unlimitedQueue whether the kernel may queue any number of events of a trace; else a start that opens files
 *     faster than they can be noted is not traced
 */
public record StartTracerConfig(Path directory, int maxRuns, int maxArmed, Duration armedFor, boolean unlimitedQueue) {
    /** Checks the bounds. */
    public StartTracerConfig {
        if (maxRuns < 1 || maxArmed < 1 || !armedFor.isPositive()) {
            throw new IllegalArgumentException("the bounds of the tracer must be positive");
        }
    }

    /** The usual settings below a state directory. */
    public static StartTracerConfig below(Path root) {
        return new StartTracerConfig(root.resolve("traces"), 8, 64, Duration.ofMinutes(30), true);
    }
}
