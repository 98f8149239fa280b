package io.faasimage.node.plans.prefetch;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.Pulls.Urgency;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Plans whose containers lost their gate: they can fetch nothing any more, so everything of them is pulled. One plan
 * after the other, so that starts keep their share. Thread-safe.
 */
public final class WholePlans implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final PrefetchPulls prefetch;
    private final PlanStore plans;
    private final ObjectStore store;
    private final Events events;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("whole-plans").daemon().factory());

    /** Pulls by {@code prefetch} into {@code store}. */
    public WholePlans(PrefetchPulls prefetch, PlanStore plans, ObjectStore store, Events events) {
        this.prefetch = prefetch;
        this.plans = plans;
        this.store = store;
        this.events = events;
    }

    /**
     * Pulls everything of these plans in the background, one after the other, again and again until nothing is missing
     * or no container uses the plan. Returns at once.
     */
    public void pull(Collection<StoredPlan> lost, Predicate<StoredPlan> used) {
        for (StoredPlan plan : lost) {
            if (plans.states().beginWhole(plan.digest())) {
                Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, new Random());
                thread.execute(() -> pull(plan, used, backoff));
            }
        }
    }

    /** Objects of a plan that {@link #pull} has still to bring; empty when there is nothing to bring. */
    public OptionalLong missing(Digest plan) {
        if (!plans.states().isLacking(plan)) {
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

    private void pull(StoredPlan plan, Predicate<StoredPlan> used, Backoff backoff) {
        if (!used.test(plan)) {
            plans.states().endWhole(plan.digest());
            return;
        }
        try {
            if (isWholeNow(plan)) {
                plans.states().endWhole(plan.digest());
                events.info(TOPIC, "all objects of plan " + plan.digest() + " are present");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException | RuntimeException e) {
            events.error(TOPIC, "the rest of plan " + plan.digest() + " was not fetched: " + Events.reason(e));
        }
        Duration pause = backoff.next();
        events.fallback(
                TOPIC,
                "containers of plan " + plan.digest() + " may still lack objects; the pull is repeated in "
                        + pause.toSeconds() + " s");
        try {
            var _ = thread.schedule(() -> pull(plan, used, backoff), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            events.info(TOPIC, "the rest of plan " + plan.digest() + " is pulled after the agent's next start");
        }
    }

    private boolean isWholeNow(StoredPlan plan) throws ExecutionException, InterruptedException {
        events.fallback(
                TOPIC,
                "pulling the rest of plan " + plan.digest()
                        + ", whose containers cannot fetch objects since the gate died");
        Optional<Pull> list = prefetch.list(plan, Urgency.FOREGROUND);
        boolean complete = list.isEmpty() || list.get().done().get().complete();
        return prefetch.rest(plan, Urgency.FOREGROUND).done().get().complete() && complete;
    }

    /** Ends the work in the background. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
