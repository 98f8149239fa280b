package io.faasimage.registry.job;

import io.faasimage.builder.tree.FileTree;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.warmup.WarmUp;
import io.faasimage.registry.blob.WorkFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Warms the refactor engine up in the background when the service has started, so that the first job does not pay for
 * a cold JVM; ends at once when a job begins. Thread-safe.
 */
final class EngineWarmUp implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(EngineWarmUp.class);
    private static final String WORK = "warm-up";

    private final WorkFiles files;
    private volatile boolean stopped;
    private final Thread thread = Thread.ofPlatform().daemon().name("warm-up").unstarted(this::warmUp);

    EngineWarmUp(WorkFiles files) {
        this.files = files;
    }

    @Override
    public void start() {
        thread.start();
    }

    /** Ends the warm-up and waits until it has. */
    @Override
    public void stop() {
        stopped = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    /** Starts before the workers do, so that a job which waits for them ends it. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 1;
    }

    private void warmUp() {
        long start = System.nanoTime();
        try {
            Path work = files.newWork(WORK);
            try {
                WarmUp.run(EngineConfig.defaults(work.resolve("layers")), Files.createDirectories(work.resolve("out")));
            } finally {
                // An interrupt has done its work; it must not keep the files.
                Thread.interrupted();
                FileTree.remove(work);
            }
            LOG.info(
                    "warmed up: refactored a made-up image in {} ms",
                    Duration.ofNanos(System.nanoTime() - start).toMillis());
        } catch (IOException | RuntimeException e) {
            if (stopped) {
                LOG.debug("the warm-up was ended", e);
            } else {
                LOG.warn("the warm-up failed; the first job will take longer, and its error may say more", e);
            }
        }
    }
}
