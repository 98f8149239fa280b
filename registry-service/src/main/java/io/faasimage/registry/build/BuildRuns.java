package io.faasimage.registry.build;

import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.replica.ReplicaLost;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The builds that this service has accepted, from the queue to their end. A build whose service ends has failed: its
 * code is gone with the request. Thread-safe.
 */
@Component
class BuildRuns implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(BuildRuns.class);
    private static final String ABANDONED =
            "the service stopped while the function waited or was built; build it again";
    private static final int STOP_SECONDS = 20;

    private final BuildQueue queue;
    private final BuildParts parts;
    private final BuildTable builds;
    private final BuildFiles files;
    private final BuildSettings settings;
    private final Map<String, String> untold = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("build-leases").factory());
    private final ExecutorService ends = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("build-end-", 0).factory());
    private volatile boolean running;

    BuildRuns(BuildQueue queue, BuildParts parts, BuildTable builds, BuildFiles files, BuildSettings settings) {
        this.queue = queue;
        this.parts = parts;
        this.builds = builds;
        this.files = files;
        this.settings = settings;
    }

    @Override
    public void start() {
        abandonOthers();
        running = true;
        Future<?> _ = timer.scheduleWithFixedDelay(this::expire, 1, 1, TimeUnit.SECONDS);
        // Not before: what cannot be removed, or takes long, does not keep the service from starting.
        Thread.ofPlatform().daemon().name("build-leftovers").start(files::removeLeftovers);
    }

    private void expire() {
        try {
            queue.expire();
        } catch (RuntimeException e) {
            LOG.error("the leases of builds could not be looked through; next attempt in a second", e);
        }
    }

    private void abandonOthers() {
        try {
            abandon();
        } catch (DataAccessException e) {
            LOG.warn("could not end the builds of services that stopped: {}", e.toString());
        }
    }

    private void abandon() {
        int abandoned = builds.abandon(ABANDONED);
        if (abandoned > 0) {
            LOG.info("{} builds had not ended when their service stopped; they have failed", abandoned);
        }
    }

    /** Its builds went with it. */
    @EventListener
    void lost(ReplicaLost lost) {
        abandonOthers();
    }

    /** Whether one more build may wait. Only the caller adds builds meanwhile. */
    boolean hasRoom() {
        return queue.hasRoom(BuildTask.Kind.BUILD);
    }

    /** Runs a build when it is its turn. */
    void run(BuildOrder order) {
        BuildRun run = new BuildRun(order, parts, this);
        if (!queue.offer(run)) {
            run.lost(ABANDONED);
        }
    }

    /** Does what follows a build: the builder that has reported its end does not wait for it. */
    void after(Runnable work) {
        ends.execute(work);
    }

    /** A build has failed. */
    void fail(BuildOrder order, String reason) {
        String why = running ? reason : ABANDONED;
        LOG.warn(
                "build {} of function {} failed: {}",
                order.id(),
                order.function().name(),
                why.lines().findFirst().orElse(""));
        // PostgreSQL takes no NUL, and a package manager may have printed one.
        untold.put(order.id(), why.replace("\0", ""));
        tellEnds();
    }

    /**
     * Writes down the failures that the database did not take when they happened: else their functions could not be
     * built again.
     */
    void tellEnds() {
        untold.forEach((id, failure) -> {
            try {
                builds.failed(id, failure);
                untold.remove(id);
            } catch (DataAccessException e) {
                LOG.warn(
                        "the failure of build {} could not be written to the database, will be tried again: {}",
                        id,
                        e.toString());
            }
        });
    }

    /** The files of a build are not needed any more. */
    void clean(BuildOrder order) {
        files.remove(order.id());
        try {
            builds.prune(settings.kept());
        } catch (DataAccessException e) {
            LOG.warn("could not forget old builds: {}", e.toString());
        }
    }

    /** Before the builders end, whose builds would be given back. */
    @Override
    public void stop() {
        running = false;
        timer.shutdownNow();
        queue.close().forEach(work -> work.lost(ABANDONED));
        ends.shutdown();
        try {
            if (!ends.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a build does not end; it has failed at the next start");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
