package io.faasimage.node.plans.lookup;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.plans.prefetch.PrefetchPulls;
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

/**
 * A check after each start whether the service has a newer plan of the image, for the next start. No start waits for
 * it: one thread, one request for an image in ten seconds, which a header answers. It also requests statements that
 * plans lack. Thread-safe.
 */
public final class PlanRefresh implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final int MOST = 4096;
    /** More than a bundle without content has: it is read to its end, so that the connection can be used again. */
    private static final int SHORT = 1024;

    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long STATEMENTS_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ServiceLink link;
    private final PlanStore plans;
    private final PlanLookup lookup;
    private final PrefetchPulls prefetch;
    private final Events events;
    private final Set<ChainId> pending = ConcurrentHashMap.newKeySet();
    /** When each was last requested, in nanoseconds of the monotonic clock; for the timer's thread. */
    private final Map<ChainId, Long> asked = new ConcurrentHashMap<>();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("plan-refresh").daemon().factory());

    /** Begins; {@code prefetch} pulls newer plans, which are stored with their metadata images. */
    public PlanRefresh(ServiceLink link, PlanStore plans, PlanLookup lookup, PrefetchPulls prefetch, Events events) {
        this.link = link;
        this.plans = plans;
        this.lookup = lookup;
        this.prefetch = prefetch;
        this.events = events;
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
                lookup.ask(PlanQuestion.newest(top))
                        .plan()
                        .filter(plan -> plan.top().chainId().equals(top))
                        .ifPresent(plan -> prefetch.begin(plan, Optional.empty()));
            }
        } catch (IOException | RuntimeException e) {
            events.info(TOPIC, "whether there is a newer plan of chain " + top + " is not known: " + Events.reason(e));
        }
    }

    /**
     * Requests the statements of plans that are here without one of a pinned key, because they came before the key was
     * pinned; again and again until the service has answered for each. Returns at once.
     */
    public void requestStatements() {
        if (!plans.refused().isEmpty()) {
            timer.execute(this::statements);
        }
    }

    private void statements() {
        List<StoredPlan> refused = plans.refused();
        int signed = 0;
        try {
            for (StoredPlan plan : refused) {
                link.checkThere();
                Optional<BundleStream> answer = link.bundle(BundleRequest.headers(plan.digest()));
                signed += answer.isPresent() && isSigned(plan.digest(), answer.get()) ? 1 : 0;
            }
            events.info(TOPIC, "the service has signed " + signed + " of " + refused.size() + " plans of this node");
        } catch (IOException | RuntimeException e) {
            events.info(TOPIC, "the signatures of plans were not received: " + Events.reason(e));
            // Rejected when the agent ends.
            var _ = timer.schedule(this::statements, STATEMENTS_PAUSE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Whether the service has a statement with which the plan may be used; it comes as a header of no objects. */
    private boolean isSigned(Digest plan, BundleStream answer) throws IOException {
        try (BundleStream stream = answer) {
            stream.body().readNBytes(SHORT);
            return stream.statement().isPresent()
                    && plans.offer(plan, stream.statement().get());
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
