package io.faasimage.node.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    /** Those that could not be had and have been reported; for the timer's thread. */
    private final Set<Digest> failed = new HashSet<>();

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
        List<PlanLayer> lacking = lacking();
        failed.retainAll(lacking.stream().map(PlanLayer::metadata).toList());
        for (PlanLayer layer : lacking) {
            if (timer.isShutdown() || !pulls.running().isEmpty()) {
                return;
            }
            try {
                lookup.needMetadata(layer);
            } catch (IOException | RuntimeException e) {
                if (failed.add(layer.metadata())) {
                    events.info("plan", "the metadata image of a lower layer is asked for later: " + Events.reason(e));
                }
            }
        }
    }

    private List<PlanLayer> lacking() {
        return plans.all().stream()
                .filter(plan -> plan.received().isBefore(clock.instant().minus(age)))
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> !plans.hasMetadata(layer.metadata()))
                .toList();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
