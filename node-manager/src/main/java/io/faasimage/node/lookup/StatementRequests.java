package io.faasimage.node.lookup;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.service.ServiceLink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The requests for statements of plans that are on this node without one of a pinned key, because they came before the
 * key was pinned. They begin with the agent's start and end when the service has answered for each. One thread.
 */
final class StatementRequests implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final Duration PAUSE = Duration.ofSeconds(30);
    /** More than a bundle without content has. */
    private static final int SHORT = 1024;

    private final ServiceLink link;
    private final PlanStore plans;
    private final Events events;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("statements").daemon().factory());

    StatementRequests(ServiceLink link, PlanStore plans, Events events) {
        this.link = link;
        this.plans = plans;
        this.events = events;
    }

    /** Begins, unless no plan needs a statement. */
    void start() {
        if (!plans.refused().isEmpty()) {
            thread.execute(this::request);
        }
    }

    private void request() {
        List<StoredPlan> refused = plans.refused();
        int signed = 0;
        try {
            for (StoredPlan plan : refused) {
                link.checkThere();
                signed += isSigned(plan.digest()) ? 1 : 0;
            }
            events.info(TOPIC, "the service has signed " + signed + " of " + refused.size() + " plans of this node");
        } catch (IOException | RuntimeException e) {
            events.info(TOPIC, "the signatures of plans were not received: " + Events.reason(e));
            // Rejected when the agent ends.
            var _ = thread.schedule(this::request, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Whether the service has a statement with which the plan may be used; it comes as a header of no objects. */
    private boolean isSigned(Digest plan) throws IOException {
        Optional<BundleStream> answer = link.bundle(BundleRequest.headers(plan));
        if (answer.isEmpty()) {
            return false;
        }
        try (BundleStream stream = answer.get()) {
            // Read to its end, so that the connection can be used again.
            stream.body().readNBytes(SHORT);
            return stream.statement().isPresent()
                    && plans.offer(plan, stream.statement().get());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
