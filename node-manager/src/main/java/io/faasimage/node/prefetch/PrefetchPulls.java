package io.faasimage.node.prefetch;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.partial.PartialLayers;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PlanAnswer;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.pull.Pulls.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The pulls of this node's plans: the prefetch list at once, the rest afterwards if it is wanted. Records which plans
 * are complete, in memory and on the disk. Thread-safe.
 */
public final class PrefetchPulls implements AutoCloseable {
    private static final String TOPIC = "plan";

    private volatile boolean closing;

    private final PlanStore plans;
    private final Pulls pulls;
    private final Events events;
    private final PlanConfig config;
    private final Consumer<StoredPlan> forgotten;
    private final PieceUse pieces;
    private final ReadAhead readAhead;
    private final CompletionMarks marks;
    private final HeldPlans held = new HeldPlans();
    /** Plans whose rest was seen on this disk by this process, or is being fetched. */
    private final Set<Digest> filled = ConcurrentHashMap.newKeySet();
    /** When a pull last ended without everything, in nanoseconds of the monotonic clock. */
    private final Map<Digest, Long> incomplete = new ConcurrentHashMap<>();

    /** Begins; {@code forgotten} receives plans that the service does not know any more. */
    public PrefetchPulls(
            PlanStore plans,
            Pulls pulls,
            Events events,
            PlanConfig config,
            PieceUse pieces,
            Consumer<StoredPlan> forgotten) {
        this.pieces = pieces;
        this.forgotten = forgotten;
        this.plans = plans;
        this.pulls = pulls;
        this.events = events;
        this.config = config;
        this.readAhead = new ReadAhead(plans, pulls.store(), events);
        this.marks = new CompletionMarks(plans.marks(), held, pulls, events);
    }

    /** The pull of the plan's start-up set, started unless it runs; empty when all is known to be held. */
    public Optional<Pull> startup(StoredPlan plan) {
        return startup(plan, Optional.empty());
    }

    /** The pull of the start-up set, continuing with an answer that brings some of the objects already. */
    public Optional<Pull> startup(StoredPlan plan, Optional<PlanAnswer> answer) {
        if (config.startup() == PrefetchList.NONE || held.contains(plan.digest())) {
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

    /** The pull of the objects that a start reads: as {@link #startup}, with pieces of large objects where used. */
    public Optional<Pull> forStart(StoredPlan plan, Optional<PlanAnswer> answer) {
        if (held.contains(plan.digest()) || !pieces.isFor(plan, startMode(plan))) {
            return startup(plan, answer);
        }
        Pull pull =
                pulls.start(plan.digest(), () -> plans.load(plan.digest()), Part.PIECES, Urgency.FOREGROUND, answer);
        pull.whenDone(report -> piecesEnded(plan, report, pull));
        return Optional.of(pull);
    }

    private StartMode startMode(StoredPlan plan) {
        return plans.settings().startMode(plan.digest()).orElse(config.start());
    }

    private void piecesEnded(StoredPlan plan, PullReport report, Pull pull) {
        if (report.complete()) {
            whole(plan);
            return;
        }
        incomplete.put(plan.digest(), System.nanoTime());
        if (pull.isForgotten()) {
            forgotten.accept(plan);
        }
    }

    /**
     * Fetches the whole objects of the prefetch list while no start waits for anything, again and again as long as
     * containers have only parts of them. Returns at once.
     */
    public void whole(StoredPlan plan) {
        if (closing || !plans.has(plan.digest())) {
            return;
        }
        long losses = held.losses();
        Pull pull = pulls.start(
                plan.digest(), () -> plans.load(plan.digest()), Part.STARTUP, Urgency.BACKGROUND, Optional.empty());
        pull.whenDone(report -> {
            ended(plan, report, pull, losses);
            if (!report.complete() && pieces.layers().isPartial(plan.digest())) {
                CompletableFuture.delayedExecutor(config.repull().toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> whole(plan));
            }
        });
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

    /** Layers of partial objects, for their users. */
    public PartialLayers layers() {
        return pieces.layers();
    }

    /**
     * The layer of partial objects on which a container of this plan starts, mounted when the pieces that starts read
     * have come; empty when its objects are, or will be, whole. The gate must be mounted.
     */
    public Optional<Path> partialLayer(StoredPlan plan) {
        if (held.contains(plan.digest()) || !pieces.isFor(plan, startMode(plan))) {
            return Optional.empty();
        }
        Optional<Path> there = pieces.layers().find(plan.digest());
        if (there.isPresent()) {
            return there;
        }
        try {
            Optional<Pull> pull = pulls.running(plan.digest(), Part.PIECES).or(() -> forStart(plan, Optional.empty()));
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
        startup(plan);
    }

    /** Fetches everything of the plan, because a client is about to read it file by file. Returns at once. */
    public void fetchAll(StoredPlan plan) {
        startup(plan);
        rest(plan);
    }

    /** The pull of the plan's objects beyond its start-up set, for containers that need them now. */
    Pull rest(StoredPlan plan) {
        return rest(plan, Urgency.FOREGROUND);
    }

    private Pull rest(StoredPlan plan, Urgency urgency) {
        return pulls.start(plan.digest(), () -> plans.load(plan.digest()), Part.REST, urgency, Optional.empty());
    }

    private void ended(StoredPlan plan, PullReport report, Pull pull, long losses) {
        if (!report.complete()) {
            incomplete.put(plan.digest(), System.nanoTime());
            marks.unmark(plan);
            if (pull.isForgotten()) {
                forgotten.accept(plan);
            }
            return;
        }
        incomplete.remove(plan.digest());
        pieces.layers().objectsCame(plan.digest());
        if (held.add(plan.digest(), pull, losses, () -> plans.marks().noteComplete(plan.digest()))) {
            marks.mark(plan, report);
        }
        fill(plan);
    }

    /** Fetches the rest when no start waits for anything, if the function or the node wants it. */
    private void fill(StoredPlan plan) {
        FillMode mode = plans.settings().of(plan.digest()).fill().orElse(config.fill());
        if (mode == FillMode.IDLE && filled.add(plan.digest())) {
            rest(plan, Urgency.BACKGROUND).whenDone(report -> {
                if (!report.complete()) {
                    filled.remove(plan.digest());
                }
            });
        }
    }

    /**
     * Ensures that the start-up set is being pulled, unless a pull failed a moment ago, and that its present objects
     * are in the page cache.
     */
    public Optional<Pull> begin(StoredPlan plan) {
        readAhead.begin(plan);
        Long failed = incomplete.get(plan.digest());
        boolean recently =
                failed != null && System.nanoTime() - failed < config.repull().toNanos();
        return recently ? pulls.forStart(plan.digest()) : forStart(plan, Optional.empty());
    }

    /** Waits until the objects of a start are here, or the limit is reached; reports missing ones. */
    public void await(StoredPlan plan) {
        begin(plan).ifPresent(pull -> await(plan, pull));
        if (config.startup() == PrefetchList.ALL) {
            await(plan, rest(plan));
        }
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
        readAhead.close();
        marks.close();
    }
}
