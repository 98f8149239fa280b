package io.faasimage.node.lookup;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.id.ChainId;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.service.ServiceLink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A check after each start whether the service has a newer plan of the image, for the next start. No start waits for
 * it: one thread, one request for an image in ten seconds, which a header answers. Thread-safe.
 */
public final class PlanRefresh implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final int MOST = 4096;
    /** More than a bundle without content has. */
    private static final int SHORT = 1024;

    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ServiceLink link;
    private final PlanStore plans;
    private final PlanLookup lookup;
    private final Events events;
    private final Consumer<StoredPlan> received;
    private final Set<ChainId> pending = ConcurrentHashMap.newKeySet();
    /** When each was last requested, in nanoseconds of the monotonic clock; for the timer's thread. */
    private final Map<ChainId, Long> asked = new ConcurrentHashMap<>();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("plan-refresh").daemon().factory());

    /** Begins; {@code received} gets newer plans, stored with their metadata images. */
    public PlanRefresh(
            ServiceLink link, PlanStore plans, PlanLookup lookup, Events events, Consumer<StoredPlan> received) {
        this.link = link;
        this.plans = plans;
        this.lookup = lookup;
        this.events = events;
        this.received = received;
    }

    /** Requests the newest plan of the image with this top soon, unless that is scheduled already. Returns at once. */
    public void request(ChainId top) {
        if (pending.size() >= MOST || !pending.add(top)) {
            return;
        }
        Long last = asked.get(top);
        long pause = last == null ? 0 : last + PAUSE_NANOS - System.nanoTime();
        try {
            var _ = timer.schedule(() -> refresh(top), Math.max(DELAY_NANOS, pause), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            pending.remove(top);
        }
    }

    private void refresh(ChainId top) {
        pending.remove(top);
        if (asked.size() >= MOST) {
            asked.clear();
        }
        asked.put(top, System.nanoTime());
        // Empty when the image was removed meanwhile.
        Optional<StoredPlan> used = plans.find(top);
        if (used.isEmpty()) {
            return;
        }
        try {
            link.checkThere();
            if (isAnother(top, used.get())) {
                lookup.askNewest(top)
                        .plan()
                        .filter(plan -> plan.top().chainId().equals(top))
                        .ifPresent(received);
            }
        } catch (IOException | RuntimeException e) {
            events.info(TOPIC, "whether there is a newer plan of chain " + top + " is not known: " + Events.reason(e));
        }
    }

    /** Whether the service would send another plan than the one that starts use here. */
    private boolean isAnother(ChainId top, StoredPlan used) throws IOException {
        Optional<BundleStream> answer = link.bundle(new BundleRequest(
                top.toString(),
                null,
                null,
                List.of(),
                false,
                false,
                ObjectSet.STARTUP,
                List.of(),
                0L,
                Prefix.NEWEST,
                null,
                0));
        if (answer.isEmpty()) {
            return false;
        }
        try (BundleStream stream = answer.get()) {
            // Read to its end, so that the connection can be used again.
            stream.body().readNBytes(SHORT);
            if (stream.statement().isPresent()
                    && stream.plan().filter(used.digest().toString()::equals).isPresent()) {
                var _ = plans.offer(used.digest(), stream.statement().get());
            }
            return stream.plan().filter(plan -> isAnother(top, used, plan)).isPresent();
        }
    }

    private boolean isAnother(ChainId top, StoredPlan used, String plan) {
        boolean same = used.digest().toString().equals(plan);
        // The newest plan with this chain may be one of another image above it, which is here already.
        return !same
                && plans.all().stream()
                        .filter(here -> here.digest().toString().equals(plan))
                        .allMatch(here -> here.top().chainId().equals(top));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
