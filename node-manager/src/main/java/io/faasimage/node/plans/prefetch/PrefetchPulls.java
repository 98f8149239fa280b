package io.faasimage.node.plans.prefetch;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.partial.PartialLayers;
import io.faasimage.node.plans.plan.PlanStates;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PlanAnswer;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.pull.Pulls.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The pulls of this node's plans: the prefetch list at once, the rest afterwards if it is wanted. The {@link
 * PlanStates} say what is present and what is being pulled. Thread-safe.
 */
public final class PrefetchPulls implements AutoCloseable {
    private static final String TOPIC = "plan";

    private final PlanStore plans;
    private final PlanStates states;
    private final Pulls pulls;
    private final PlanConfig config;
    private final PieceUse pieces;
    private final Consumer<StoredPlan> forgotten;
    private final Events events;
    private final ReadAhead readAhead;
    private final CompletionMarks marks;
    private volatile boolean closing;

    /** Begins; {@code forgotten} receives plans that the service does not know any more. */
    public PrefetchPulls(
            PlanStore plans,
            Pulls pulls,
            PlanConfig config,
            PieceUse pieces,
            Consumer<StoredPlan> forgotten,
            Events events) {
        this.plans = plans;
        this.states = plans.states();
        this.pulls = pulls;
        this.config = config;
        this.pieces = pieces;
        this.forgotten = forgotten;
        this.events = events;
        this.readAhead = new ReadAhead(plans, pulls.store(), events);
        this.marks = new CompletionMarks(states, pulls, events);
    }

    /** Whether pieces are wanted of plans that have them. */
    public boolean wantsPieces() {
        return pieces.isWanted();
    }

    /** Layers of partial objects, for their users. */
    public PartialLayers layers() {
        return pieces.layers();
    }

    /** When containers of this plan start. */
    public StartMode startMode(StoredPlan plan) {
        return plans.settings().startMode(plan.digest()).orElse(config.start());
    }

    /**
     * Begins the pull of the objects that a start reads, with pieces of large objects where they are used, unless it
     * runs.
     *
     * @param answer that brought the plan and brings some of the objects; dropped when the pull runs already
     * @return the pull; empty when all is known to be present
     */
    public Optional<Pull> begin(StoredPlan plan, Optional<PlanAnswer> answer) {
        if (states.isPresent(plan.digest()) || !pieces.isFor(plan, startMode(plan))) {
            return list(plan, Urgency.FOREGROUND, answer);
        }
        Pull pull = start(plan, Part.PIECES, Urgency.FOREGROUND, answer);
        pull.whenDone(report -> piecesEnded(plan, report, pull));
        return Optional.of(pull);
    }

    /**
     * A container of this plan starts: the pull of its objects begins unless one failed a moment ago, and its present
     * objects come into the page cache. Waits for all of them, for a limited time, when its containers start complete.
     */
    public void open(StoredPlan plan) {
        readAhead.begin(plan);
        Optional<Pull> pull = states.failedWithin(plan.digest(), config.repull())
                ? pulls.forStart(plan.digest())
                : begin(plan, Optional.empty());
        if (startMode(plan) == StartMode.COMPLETE) {
            pull.ifPresent(running -> await(plan, running));
            if (config.startup() == PrefetchList.ALL) {
                await(plan, rest(plan, Urgency.FOREGROUND));
            }
        }
    }

    /** Pulls everything of the plan, because a client is about to read it file by file. Returns at once. */
    public void all(StoredPlan plan) {
        var _ = list(plan, Urgency.FOREGROUND);
        var _ = rest(plan, Urgency.FOREGROUND);
    }

    private Pull start(StoredPlan plan, Part part, Urgency urgency, Optional<PlanAnswer> answer) {
        return pulls.start(plan.digest(), () -> plans.load(plan.digest()), part, urgency, answer);
    }

    /** The pull of the objects beyond the prefetch list, begun unless it runs. */
    Pull rest(StoredPlan plan, Urgency urgency) {
        return start(plan, Part.REST, urgency, Optional.empty());
    }

    /** The pull of the whole objects of the prefetch list, begun unless it runs; empty when all are present. */
    Optional<Pull> list(StoredPlan plan, Urgency urgency) {
        return list(plan, urgency, Optional.empty());
    }

    private Optional<Pull> list(StoredPlan plan, Urgency urgency, Optional<PlanAnswer> answer) {
        PlanStates.Begin begin = config.startup() == PrefetchList.NONE
                ? new PlanStates.Begin(Optional.empty(), false)
                : states.begin(plan.digest(), () -> start(plan, Part.STARTUP, urgency, answer));
        if (begin.begun()) {
            begin.pull().ifPresent(pull -> pull.whenDone(report -> listEnded(plan, report, pull)));
        } else {
            answer.ifPresent(PlanAnswer::drop);
        }
        if (begin.pull().isEmpty()) {
            fill(plan);
        }
        return begin.pull();
    }

    private void listEnded(StoredPlan plan, PullReport report, Pull pull) {
        if (!report.complete()) {
            states.endedIncomplete(plan.digest());
            if (pull.isForgotten()) {
                forgotten.accept(plan);
            }
            return;
        }
        pieces.layers().objectsCame(plan.digest());
        if (states.ended(plan.digest())) {
            marks.mark(plan, report);
        }
        fill(plan);
    }

    /** Fetches the rest when no start waits for anything, if the function or the node wants it. */
    private void fill(StoredPlan plan) {
        FillMode mode = plans.settings().of(plan.digest()).fill().orElse(config.fill());
        if (mode == FillMode.IDLE && states.beginFilling(plan.digest())) {
            rest(plan, Urgency.BACKGROUND).whenDone(report -> {
                if (!report.complete()) {
                    states.fillingFailed(plan.digest());
                }
            });
        }
    }

    private void piecesEnded(StoredPlan plan, PullReport report, Pull pull) {
        if (report.complete()) {
            whole(plan);
            return;
        }
        states.piecesFailed(plan.digest());
        if (pull.isForgotten()) {
            forgotten.accept(plan);
        }
    }

    /**
     * Fetches the whole objects of the prefetch list while no start waits for anything, again and again as long as
     * containers have only parts of them. Returns at once.
     */
    private void whole(StoredPlan plan) {
        if (closing || !plans.has(plan.digest())) {
            return;
        }
        list(plan, Urgency.BACKGROUND)
                .ifPresent(pull -> pull.whenDone(report -> {
                    if (!report.complete() && pieces.layers().isPartial(plan.digest())) {
                        CompletableFuture.delayedExecutor(config.repull().toMillis(), TimeUnit.MILLISECONDS)
                                .execute(() -> whole(plan));
                    }
                }));
    }

    /** Continues with the layers of partial objects that an earlier process left. Returns at once. */
    public void resumePartial() {
        pieces.layers().gateReplaced();
        for (StoredPlan plan : plans.all()) {
            if (pieces.layers().isPartial(plan.digest())) {
                whole(plan);
            }
        }
    }

    /**
     * The layer of partial objects on which a container of this plan starts, mounted when the pieces that starts read
     * have come; empty when its objects are, or will be, whole. The gate must be mounted.
     */
    public Optional<Path> partialLayer(StoredPlan plan) {
        if (states.isPresent(plan.digest()) || !pieces.isFor(plan, startMode(plan))) {
            return Optional.empty();
        }
        Optional<Path> there = pieces.layers().find(plan.digest());
        if (there.isPresent()) {
            return there;
        }
        try {
            Optional<Pull> pull = pulls.running(plan.digest(), Part.PIECES).or(() -> begin(plan, Optional.empty()));
            if (pull.isPresent()) {
                pull.get().pieces().get(config.startupWait().toNanos(), TimeUnit.NANOSECONDS);
            }
            return Optional.of(pieces.layers().mount(plan.digest(), plans.load(plan.digest())));
        } catch (TimeoutException e) {
            wholeAfter(
                    plan,
                    "its pieces have not come after " + config.startupWait().toMillis() + " ms");
        } catch (IOException | ExecutionException e) {
            wholeAfter(plan, Events.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    private void wholeAfter(StoredPlan plan, String reason) {
        events.fallback(TOPIC, "a start of plan " + plan.digest() + " waits for whole objects: " + reason);
        var _ = list(plan, Urgency.FOREGROUND);
    }

    private void await(StoredPlan plan, Pull pull) {
        String consequence = ": the start continues, missing objects are fetched on demand";
        try {
            Duration limit = config.startupWait();
            PullReport report = pull.done().get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (!report.complete()) {
                events.fallback(
                        TOPIC, report.missing() + " objects of plan " + plan.digest() + " are missing" + consequence);
            }
        } catch (TimeoutException e) {
            events.fallback(
                    TOPIC,
                    "the pull of plan " + plan.digest() + " has not ended after "
                            + config.startupWait().toMillis() + " ms" + consequence);
        } catch (ExecutionException e) {
            events.fallback(TOPIC, "the pull of plan " + plan.digest() + " failed: " + e.getCause() + consequence);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the work in the background. */
    @Override
    public void close() {
        closing = true;
        readAhead.close();
        marks.close();
    }
}
