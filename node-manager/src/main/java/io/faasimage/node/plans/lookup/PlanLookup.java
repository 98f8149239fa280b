package io.faasimage.node.plans.lookup;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.RefusedPlanException;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.plans.prefetch.PrefetchList;
import io.faasimage.node.plans.prefetch.PrefetchPulls;
import io.faasimage.node.pull.PlanAnswer;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the service for plans and metadata images, which it stores. Thread-safe; the same request is sent once at
 * a time and answered within a bounded time. The answer to a request for a plan continues with the first objects of its
 * prefetch list, which are handed over to the pull engine.
 */
public final class PlanLookup {
    private static final String TOPIC = "plan";
    /** Each holds a plan in memory. */
    private static final int AT_ONCE = 8;
    /** Plans that a new one may be sent as the difference to. */
    private static final int BASES = 16;

    private final ServiceLink link;
    private final Pulls pulls;
    private final PlanStore plans;
    private final PlanConfig config;
    private final PrefetchPulls prefetch;
    private final StartEvents starts;
    private final Events events;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final ConcurrentHashMap<PlanQuestion, FutureTask<Answer>> running = new ConcurrentHashMap<>();

    /** Look-ups over {@code link}; {@code prefetch} receives the objects of the prefetch list that an answer has. */
    public PlanLookup(
            ServiceLink link,
            Pulls pulls,
            PlanStore plans,
            PlanConfig config,
            PrefetchPulls prefetch,
            StartEvents starts,
            Events events) {
        this.link = link;
        this.pulls = pulls;
        this.plans = plans;
        this.config = config;
        this.prefetch = prefetch;
        this.starts = starts;
        this.events = events;
    }

    /**
     * The service's answer.
     *
     * @param plan that it sent, stored here with its metadata image
     * @param chains of the image that are planned though it has no plan of its own
     * @param wireBytes received up to the plan's metadata image
     * @param refusal why the plan that it sent is not used; empty when it sent none, or one that is
     */
    public record Answer(Optional<StoredPlan> plan, List<ChainId> chains, long wireBytes, Optional<String> refusal) {
        static final Answer NONE = new Answer(Optional.empty(), List.of(), 0, Optional.empty());

        public Answer {
            chains = List.copyOf(chains);
        }
    }

    /** Requests a plan. */
    public Answer ask(PlanQuestion question) throws IOException {
        FutureTask<Answer> mine = new FutureTask<>(() -> inTurn(question));
        @Nullable FutureTask<Answer> other = running.putIfAbsent(question, mine);
        if (other != null) {
            return await(other, question.text());
        }
        try {
            // It decodes and decompresses, which as a virtual thread would keep other calls waiting for its carrier.
            Thread.ofPlatform().daemon().name("plan-lookup").start(mine);
            return await(mine, question.text());
        } finally {
            running.remove(question, mine);
        }
    }

    /** Fetches the metadata image of {@code layer}, unless it is here. */
    public void needMetadata(PlanLayer layer) throws IOException {
        if (!plans.images().has(layer.metadata())) {
            FutureTask<Boolean> task = new FutureTask<>(() -> fetchMetadata(layer));
            Thread.ofVirtual().name("metadata").start(task);
            var _ = await(task, "the metadata image " + layer.metadata());
        }
    }

    private boolean fetchMetadata(PlanLayer layer) throws IOException {
        ObjectContent content = link.metadata(layer.metadata()).orElseThrow(() -> new IOException("nobody has it"));
        plans.images().save(layer.metadata(), layer.metadataSize(), content.body(), content.zstd());
        return true;
    }

    /**
     * Waits for a task's result, and cancels the task when the time is over.
     *
     * @throws IOException when the task failed or did not end in time; names {@code what}
     */
    private <T> T await(FutureTask<T> task, String what) throws IOException {
        Duration limit = config.lookup();
        String late = "the service did not deliver " + what + " within " + limit.toMillis() + " ms";
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new IOException(late, e);
        } catch (CancellationException e) {
            // Another one waited for the same answer, and longer.
            throw new IOException(late, e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw new IOException("could not get " + what + ": " + Events.reason(cause == null ? e : cause), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, e);
        }
    }

    /**
     * Checks that the registry may be sent requests now.
     *
     * @throws IOException when it failed a moment ago, or wants a pause
     */
    public void checkThere() throws IOException {
        link.checkThere();
    }

    /** Whether the registry gives the objects of this plan now. */
    public boolean canFetch(Digest plan) {
        try (BundleStream answer = link.bundle(BundleRequest.headers(plan)).orElse(null)) {
            return answer != null;
        } catch (IOException e) {
            return false;
        }
    }

    private Answer inTurn(PlanQuestion question) throws IOException, InterruptedException {
        link.budget().await(config.patience());
        turns.acquire();
        try {
            return fetchPlan(question);
        } finally {
            turns.release();
        }
    }

    private Answer fetchPlan(PlanQuestion question) throws IOException {
        long asked = System.nanoTime();
        BundleRequest request = request(question);
        if (!request.segments().isEmpty()) {
            pulls.expect();
        }
        Optional<BundleStream> stream = link.bundle(request, plans.bases(BASES));
        long firstByte = System.nanoTime();
        if (stream.isEmpty()) {
            return Answer.NONE;
        }
        Optional<String> way = stream.get().way();
        AnswerReader reader = new AnswerReader(pulls, plans, stream.get());
        try {
            reader.readPlan();
            check(question, reader);
            if (reader.plan().isPresent()) {
                begin(question, reader.plan().get(), reader);
            }
            reader.readDocuments();
        } catch (RefusedPlanException e) {
            reader.fail(e);
            return refused(e);
        } catch (IOException | RuntimeException | Error e) {
            reader.fail(e);
            throw e;
        }
        Answer answer = new Answer(reader.plan(), reader.chains(), reader.received(), Optional.empty());
        answer.plan().ifPresent(plan -> {
            if (question.isForStart()) {
                starts.accept(
                        new PlanArrived(plan.digest(), asked, firstByte, System.nanoTime(), answer.wireBytes(), way));
            }
            events.info(
                    TOPIC,
                    "received plan " + plan.digest() + " of image " + plan.image()
                            + way.map(by -> " from its registry: " + by).orElse(""));
        });
        return answer;
    }

    private Answer refused(RefusedPlanException e) {
        String reason = String.valueOf(e.getMessage());
        events.fallback(TOPIC, reason);
        return new Answer(Optional.empty(), List.of(), 0, Optional.of(reason));
    }

    /** Begins the pull while the metadata image is still to come. */
    private void begin(PlanQuestion question, StoredPlan plan, AnswerReader reader) {
        Optional<PlanAnswer> objects = reader.objects();
        if (objects.isPresent() || question.isForWhole(plan)) {
            var _ = prefetch.begin(plan, objects);
        }
    }

    private BundleRequest request(PlanQuestion question) {
        boolean objects = config.startup() != PrefetchList.NONE && question.wantsObjects();
        List<Digest> have = objects ? plans.complete(config.have()) : List.of();
        return question.request(
                objects ? Arrays.stream(Segment.values()).map(Segment::label).toList() : List.of(),
                have.stream().map(Digest::toString).toList(),
                // Objects that are present without a complete plan cannot be named in the request. Only the plan is
                // requested then, and the missing objects afterwards.
                have.isEmpty() && plans.states().isWarmed() ? 0 : config.firstBytes());
    }

    private static void check(PlanQuestion question, AnswerReader reader) throws IOException {
        if (reader.plan().isEmpty()) {
            if (reader.chains().isEmpty()) {
                throw new IOException("the service's answer has no plan");
            }
            return;
        }
        StoredPlan plan = reader.plan().get();
        if (!question.isAnsweredBy(plan)) {
            throw new IOException("the service answered with plan " + plan.digest() + " of another image");
        }
    }
}
