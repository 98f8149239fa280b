package io.faasimage.node.prefetch;

import io.faasimage.api.image.FillMode;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PlanAnswer;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.pull.Pulls.Urgency;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The pulls that plans of this node need: the start-up set at once, the rest afterwards when it is wanted, everything
 * when a gate died. Remembers which plans are held, and marks them on the disk. Thread-safe.
 */
public final class StartupPulls implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final int FLUSH_SECONDS = 10;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    /** A node that is never calm marks its plans, too. */
    private static final long MOST_CALM_NANOS = TimeUnit.SECONDS.toNanos(60);

    private volatile boolean closing;

    private final PlanStore plans;
    private final Pulls pulls;
    private final ObjectStore store;
    private final Events events;
    private final PlanConfig config;
    private final Consumer<StoredPlan> forgotten;
    private final HeldPlans held = new HeldPlans();
    /** Plans whose rest was seen on this disk by this process, or is being fetched. */
    private final Set<Digest> filled = ConcurrentHashMap.newKeySet();
    /** When a pull last ended without everything, in nanoseconds of the monotonic clock. */
    private final Map<Digest, Long> incomplete = new ConcurrentHashMap<>();
    /** Plans whose containers lost the gate and need objects that are not here yet. */
    private final Set<Digest> lacking = ConcurrentHashMap.newKeySet();
    /** Pulls everything of these; one thread, so that starts keep their share. */
    private final ScheduledExecutorService wholePlans = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("whole-plans").daemon().factory());
    /** Flushes what was pulled; ended in order, so that no mark is written behind {@link #close}. */
    private final ExecutorService flushes = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("checkpoint").daemon().factory());

    /** Begins; {@code forgotten} takes plans that the service turns out not to know any more. */
    public StartupPulls(
            PlanStore plans,
            Pulls pulls,
            ObjectStore store,
            Events events,
            PlanConfig config,
            Consumer<StoredPlan> forgotten) {
        this.forgotten = forgotten;
        this.plans = plans;
        this.pulls = pulls;
        this.store = store;
        this.events = events;
        this.config = config;
    }

    /** The pull of the plan's start-up set, started unless it runs; empty when all is known to be held. */
    public Optional<Pull> startup(StoredPlan plan) {
        return startup(plan, Optional.empty());
    }

    /** As above, going on with an answer that brings some of the objects already. */
    public Optional<Pull> startup(StoredPlan plan, Optional<PlanAnswer> answer) {
        if (config.startup() == StartupSet.NONE || held.contains(plan.digest())) {
            answer.ifPresent(PlanAnswer::drop);
            fill(plan);
            return Optional.empty();
        }
        long losses = held.losses();
        Pull pull =
                pulls.start(plan.digest(), () -> plans.load(plan.digest()), Part.STARTUP, Urgency.FOREGROUND, answer);
        pull.whenDone(report -> ended(plan, report, pull, losses));
        return Optional.of(pull);
    }

    /** Fetches everything of the plan, because somebody is about to read it file by file. Returns at once. */
    public void fetchAll(StoredPlan plan) {
        startup(plan);
        rest(plan, Urgency.FOREGROUND);
    }

    private Pull rest(StoredPlan plan, Urgency urgency) {
        return pulls.start(plan.digest(), () -> plans.load(plan.digest()), Part.REST, urgency, Optional.empty());
    }

    private void ended(StoredPlan plan, PullReport report, Pull pull, long losses) {
        if (!report.complete()) {
            incomplete.put(plan.digest(), System.nanoTime());
            unmark(plan);
            if (pull.isForgotten()) {
                forgotten.accept(plan);
            }
            return;
        }
        incomplete.remove(plan.digest());
        if (held.add(plan.digest(), pull, losses, () -> plans.marks().noteComplete(plan.digest()))) {
            try {
                flushes.execute(() -> makeDurable(plan, report));
            } catch (RejectedExecutionException e) {
                events.info(TOPIC, "plan " + plan.digest() + " is not marked as complete: the node shuts down");
            }
        }
        fill(plan);
    }

    /** Fetches the rest when no start waits for anything, if the function or the node wants it. */
    private void fill(StoredPlan plan) {
        FillMode mode = plans.settings(plan.digest()).fill().orElse(config.fill());
        if (mode == FillMode.IDLE && filled.add(plan.digest())) {
            rest(plan, Urgency.BACKGROUND).whenDone(report -> {
                if (!report.complete()) {
                    filled.remove(plan.digest());
                }
            });
        }
    }

    /** The registry must not leave out objects because of a plan that lacks some. */
    private void unmark(StoredPlan plan) {
        try {
            plans.marks().unmarkComplete(plan.digest());
        } catch (IOException e) {
            events.error(TOPIC, "plan " + plan.digest() + " stays marked as complete: " + Events.reason(e));
        }
    }

    /** Not in the middle of the start that the pull was for: flushing some hundred megabytes would slow it. */
    private void makeDurable(StoredPlan plan, PullReport report) {
        try {
            if (report.objects() > 0) {
                long end = System.nanoTime() + MOST_CALM_NANOS;
                pulls.awaitCalm(() -> closing || System.nanoTime() - end >= 0);
                store.checkpoint();
            }
            held.ifHeld(plan.digest(), () -> plans.marks().markComplete(plan.digest()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            events.error(TOPIC, "could not flush plan " + plan.digest() + " to the disk: " + Events.reason(e));
        }
    }

    /** Sees to it that the start-up set is being pulled, unless a pull failed a moment ago. */
    public Optional<Pull> begin(StoredPlan plan) {
        Long failed = incomplete.get(plan.digest());
        boolean recently =
                failed != null && System.nanoTime() - failed < config.repull().toNanos();
        return recently ? pulls.running(plan.digest(), Part.STARTUP) : startup(plan);
    }

    /** Waits until what a start needs is here, or the limit is reached; says so when something is missing. */
    public void await(StoredPlan plan) {
        begin(plan).ifPresent(pull -> await(plan, pull));
        if (config.startup() == StartupSet.ALL) {
            await(plan, rest(plan, Urgency.FOREGROUND));
        }
    }

    private void await(StoredPlan plan, Pull pull) {
        String goesOn = ": the start continues, missing objects are fetched on demand";
        try {
            Duration limit = config.startupWait();
            PullReport report = pull.done().get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (!report.complete()) {
                events.fallback(
                        TOPIC, report.missing() + " objects of plan " + plan.digest() + " are missing" + goesOn);
            }
        } catch (TimeoutException e) {
            events.fallback(
                    TOPIC,
                    "the pull of plan " + plan.digest() + " has not ended after "
                            + config.startupWait().toMillis() + " ms" + goesOn);
        } catch (ExecutionException e) {
            events.fallback(TOPIC, "the pull of plan " + plan.digest() + " failed: " + e.getCause() + goesOn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Pulls everything of these plans in the background, one after the other, again and again until nothing is missing
     * or no container uses the plan. Returns at once.
     */
    public void whole(Collection<StoredPlan> lost, Predicate<StoredPlan> used) {
        for (StoredPlan plan : lost) {
            markWhole(plan);
            if (lacking.add(plan.digest())) {
                wholePlans.execute(() -> whole(plan, used, FIRST_PAUSE));
            }
        }
    }

    /** Objects of a plan that {@link #whole} has still to bring; empty when there is nothing to bring. */
    public OptionalLong missing(Digest plan) {
        if (!lacking.contains(plan)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(plans.load(plan).objects().stream()
                    .filter(object -> !store.has(object.digest()))
                    .count());
        } catch (IOException e) {
            events.error(TOPIC, "the missing objects of plan " + plan + " are not known: " + Events.reason(e));
            return OptionalLong.empty();
        }
    }

    /** What containers without a gate may read must not be dropped. */
    private void markWhole(StoredPlan plan) {
        try {
            plans.marks().markWhole(plan.digest());
        } catch (IOException e) {
            events.error(TOPIC, "plan " + plan.digest() + " is not protected from eviction: " + Events.reason(e));
        }
    }

    private void whole(StoredPlan plan, Predicate<StoredPlan> used, Duration pause) {
        if (!used.test(plan)) {
            lacking.remove(plan.digest());
            return;
        }
        try {
            if (isWholeNow(plan)) {
                lacking.remove(plan.digest());
                events.info(TOPIC, "all objects of plan " + plan.digest() + " are present");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException | RuntimeException e) {
            events.error(TOPIC, "the rest of plan " + plan.digest() + " was not fetched: " + Events.reason(e));
        }
        events.fallback(
                TOPIC,
                "containers of plan " + plan.digest() + " may still lack objects; the pull is repeated in "
                        + pause.toSeconds() + " s");
        Duration next = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
        try {
            var _ = wholePlans.schedule(() -> whole(plan, used, next), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            events.info(TOPIC, "the rest of plan " + plan.digest() + " is pulled after the agent's next start");
        }
    }

    private boolean isWholeNow(StoredPlan plan) throws ExecutionException, InterruptedException {
        events.fallback(
                TOPIC,
                "pulling the rest of plan " + plan.digest()
                        + ", whose containers cannot fetch objects since the gate died");
        Optional<Pull> startup = startup(plan);
        boolean started = startup.isEmpty() || startup.get().done().get().complete();
        return rest(plan, Urgency.FOREGROUND).done().get().complete() && started;
    }

    /**
     * Objects of these plans are about to be dropped, until the close: their marks are taken away, and their next
     * starts pull again.
     *
     * @throws IOException when a mark stays; nothing may be dropped then
     */
    public Loss losing(Collection<Digest> losers) throws IOException {
        held.lose(losers, pulls.running());
        filled.removeAll(Set.copyOf(losers));
        Loss loss = () -> held.lost(pulls.running());
        try {
            for (Digest plan : losers) {
                plans.marks().unmarkComplete(plan);
            }
        } catch (IOException e) {
            loss.close();
            throw e;
        }
        return loss;
    }

    /** Ends the work in the background. */
    @Override
    public void close() {
        closing = true;
        wholePlans.shutdownNow();
        flushes.shutdown();
        try {
            if (!flushes.awaitTermination(FLUSH_SECONDS, TimeUnit.SECONDS)) {
                events.error(TOPIC, "pulled objects are not flushed to the disk after " + FLUSH_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
