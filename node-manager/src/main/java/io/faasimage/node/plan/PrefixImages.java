package io.faasimage.node.plan;

import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Fetches, when the node has nothing better to do, the metadata images of the lower prefixes of its plans: an ordinary
 * image on the same base can then be mounted while the registry is down. One thread, one image at a time.
 */
final class PrefixImages implements AutoCloseable {
    private final PlanStore plans;
    private final Pulls pulls;
    private final PlanLookup lookup;
    private final Events events;
    private final InstantSource clock;
    private final Duration age;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("prefix-images").daemon().factory());

    /**
     * Begins.
     *
     * @param age plans received a shorter time ago are left alone: their containers are starting
     */
    PrefixImages(PlanStore plans, Pulls pulls, PlanLookup lookup, Events events, InstantSource clock, Duration age) {
        this.plans = plans;
        this.pulls = pulls;
        this.lookup = lookup;
        this.events = events;
        this.clock = clock;
        this.age = age;
        long period = Math.max(1, age.toMillis() / 2);
        var _ = timer.scheduleWithFixedDelay(this::look, period, period, TimeUnit.MILLISECONDS);
    }

    private void look() {
        Optional<PlanLayer> next = next();
        while (next.isPresent() && !timer.isShutdown()) {
            try {
                lookup.needMetadata(next.get());
            } catch (IOException | RuntimeException e) {
                events.info("plan", "the metadata image of a lower layer is asked for later: " + Events.reason(e));
                return;
            }
            next = next();
        }
    }

    private Optional<PlanLayer> next() {
        if (!pulls.running().isEmpty()) {
            return Optional.empty();
        }
        return plans.all().stream()
                .filter(plan -> plan.received().isBefore(clock.instant().minus(age)))
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> !plans.hasMetadata(layer.metadata()))
                .findFirst();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
