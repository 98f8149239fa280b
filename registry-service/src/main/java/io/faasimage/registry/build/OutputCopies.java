package io.faasimage.registry.build;

import io.faasimage.registry.tenant.TenantScope;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * A timer that copies the output of running builds from their files to the database, where every service reads it. What
 * it does not take at once goes with a later copy, as each looks how far the one before came. Thread-safe; one thread
 * copies, and the build's own at its end.
 */
@Component
class OutputCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputCopies.class);
    private static final long PAUSE_MILLIS = 1000;

    private final BuildFiles files;
    private final OutputTable outputs;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("build-output").factory());

    OutputCopies(BuildFiles files, OutputTable outputs) {
        this.files = files;
        this.outputs = outputs;
    }

    /** Runs until what is printed is complete. */
    @FunctionalInterface
    interface Copy extends AutoCloseable {
        /** Copies what is left. */
        @Override
        void close();
    }

    /** Copies what a build prints while it does. */
    Copy follow(String build) {
        Future<?> copies = thread.scheduleWithFixedDelay(
                TenantScope.bound(() -> copy(build)), PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return () -> {
            copies.cancel(false);
            // One that was interrupted has printed something, too.
            boolean interrupted = Thread.interrupted();
            copy(build);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private synchronized void copy(String build) {
        try {
            long end = outputs.size(build);
            byte[] more = files.output(build, end, OutputTable.BATCH);
            while (more.length > 0 && outputs.add(build, end, more)) {
                end += more.length;
                more = files.output(build, end, OutputTable.BATCH);
            }
        } catch (IOException | DataAccessException e) {
            LOG.warn("could not copy the output of build {} to the database: {}", build, e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
