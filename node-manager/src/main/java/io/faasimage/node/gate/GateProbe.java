package io.faasimage.node.gate;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.gate.GateOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A check that a gate answers: its control socket, and a look-up through its mount. A look-up that hangs keeps its
 * thread until the gate has ended, so another begins only when the previous one has ended. For one thread.
 */
final class GateProbe {
    /** No object has this name, so that the gate says "not here" without fetching. */
    private static final String NAME = "verdict/00/probe";

    private final GateConfig config;
    private @Nullable FutureTask<@Nullable Void> pending;

    GateProbe(GateConfig config) {
        this.config = config;
    }

    /** The result of a check. */
    sealed interface Result {
        /** Everything answered. */
        record Answers() implements Result {}

        /** Nothing came within the limit. */
        record Hangs(String reason) implements Result {}

        /** An answer came, and it was wrong. */
        record Fails(String reason) implements Result {}
    }

    /** Checks once, or continues with the check that hangs. Bounded. */
    Result check() throws InterruptedException {
        FutureTask<@Nullable Void> task = pending;
        if (task == null) {
            task = new FutureTask<>(() -> {
                new ControlClient(config.control()).call(GateOperations.STATUS);
                lookUp(config.mount());
                return null;
            });
            pending = task;
            Thread.ofPlatform().name("gate-probe").daemon().start(task);
        }
        try {
            task.get(config.probeLimit().toNanos(), TimeUnit.NANOSECONDS);
            pending = null;
            return new Result.Answers();
        } catch (TimeoutException e) {
            return new Result.Hangs("neither its control socket nor a look-up answered within "
                    + config.probeLimit().toMillis() + " ms");
        } catch (ExecutionException e) {
            pending = null;
            return new Result.Fails(String.valueOf(e.getCause()));
        }
    }

    private static void lookUp(Path mount) throws IOException {
        try {
            Files.readAttributes(mount.resolve(NAME), BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            if (!Files.isDirectory(mount.resolve("verdict"))) {
                throw new IOException("its mount at " + mount + " is gone", e);
            }
        }
    }
}
