package io.faasimage.node.plans.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Verified;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Checkpoints of the object store. Flushes the objects of pulls, look-ups and background fills within a bounded time,
 * and after a crash of the machine verifies those that had not been flushed, the prefetch lists of the plans used last
 * first. Both give way to starts, for a bounded time. Thread-safe.
 */
public final class Checkpoints implements AutoCloseable {
    private static final String TOPIC = "storage";
    /** How long one object waits for starts: verifying continues on a node that is never calm. */
    private static final Duration OBJECT_PATIENCE = Duration.ofMillis(500);

    private final ObjectStore store;
    private final PlanStore plans;
    private final Calm calm;
    private final Events events;
    private final Limits limits;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("checkpoints").daemon().factory());
    private final Thread recovery =
            Thread.ofPlatform().name("recovery").daemon().unstarted(this::recover);
    private volatile boolean closing;

    /** Waits until no start waits for anything. */
    @FunctionalInterface
    public interface Calm {
        /**
         * Waits.
         *
         * @param unless ends the wait at once; looked at now and then
         */
        void await(BooleanSupplier unless) throws InterruptedException;
    }

    /**
     * When things are done.
     *
     * @param period from one checkpoint to the next
     * @param patience how long a checkpoint waits for starts
     */
    public record Limits(Duration period, Duration patience) {
        /** Objects that a crash may damage were written in the last minute and a half. */
        public static final Limits USUAL = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    /** Does nothing before {@link #start}. */
    public Checkpoints(ObjectStore store, PlanStore plans, Calm calm, Limits limits, Events events) {
        this.store = store;
        this.plans = plans;
        this.calm = calm;
        this.limits = limits;
        this.events = events;
    }

    /** Begins, in the background. */
    public void start() {
        long period = limits.period().toMillis();
        var _ = timer.scheduleWithFixedDelay(this::flush, period, period, TimeUnit.MILLISECONDS);
        recovery.start();
    }

    private void flush() {
        try {
            await(limits.patience());
            store.checkpoint();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            // A task that throws is not run again.
            events.error(TOPIC, "could not flush the object store to the disk: " + Events.reason(e));
        }
    }

    private void await(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        calm.await(() -> closing || System.nanoTime() - end >= 0);
    }

    private void recover() {
        try {
            plans.images().verify();
        } catch (IOException | RuntimeException | Error e) {
            events.error(TOPIC, "could not verify all metadata images: " + Events.reason(e));
        }
        if (store.hasSuspects()) {
            recoverObjects();
        }
    }

    private void recoverObjects() {
        events.info(TOPIC, "unclean shutdown: objects that were not flushed are verified in the background");
        try {
            List<Digest> recent = plans.all().stream()
                    .map(StoredPlan::digest)
                    .sorted(Comparator.<Digest>comparingLong(plans.uses()::last).reversed())
                    .toList();
            for (Digest plan : recent) {
                recover(plan);
            }
            Verified rest = store.verifySuspects(this::awaitTurn);
            events.info(
                    TOPIC,
                    "verified the objects that were not flushed at an unclean shutdown; besides prefetch lists, "
                            + rest.whole() + " objects were intact, " + rest.damaged() + " damaged and dropped");
        } catch (InterruptedException | InterruptedIOException e) {
            events.info(TOPIC, "verification continues at the next start of the agent");
        } catch (IOException | RuntimeException | Error e) {
            events.error(
                    TOPIC,
                    "could not verify the objects that were not flushed at an unclean shutdown; each is"
                            + " verified when it is"
                            + " wanted: " + Events.reason(e));
        }
    }

    private void recover(Digest digest) throws IOException, InterruptedException {
        List<PlanObject> startup =
                plans.loadIfHere(digest).map(plan -> plan.startup()).orElse(List.of());
        for (PlanObject object : startup) {
            awaitTurn();
            var _ = store.has(object.digest());
        }
    }

    private void awaitTurn() throws InterruptedException {
        await(OBJECT_PATIENCE);
        if (closing) {
            throw new InterruptedException("closing");
        }
    }

    /** Ends the work after the object or flush that is being worked on. */
    @Override
    public void close() {
        closing = true;
        timer.shutdown();
        try {
            if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
                events.info(TOPIC, "not all objects are flushed yet: the node shuts down");
            }
            recovery.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
