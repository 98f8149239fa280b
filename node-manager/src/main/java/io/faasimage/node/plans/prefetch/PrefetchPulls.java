package io.faasimage.node.plans.prefetch;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.node.link.event.Events;
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
import java.util.List;
import java.util.Optional;
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
    private final Consumer<StoredPlan> forgotten;
    private final Events events;
    private final ReadAhead readAhead;
    private final CompletionMarks marks;
    /** Begins; {@code forgotten} receives plans that the service does not know any more. */
    public PrefetchPulls(
            PlanStore plans, Pulls pulls, PlanConfig config, Consumer<StoredPlan> forgotten, Events events) {
        this.plans = plans;
        this.states = plans.states();
        this.pulls = pulls;
        this.config = config;
        this.forgotten = forgotten;
        this.events = events;
        this.readAhead = new ReadAhead(plans, pulls.places(), events);
        this.marks = new CompletionMarks(states, pulls, events);
    }

    /** When containers of this plan start. */
    public StartMode startMode(StoredPlan plan) {
        return plans.settings().startMode(plan.digest()).orElse(config.start());
    }

    /**
     * Begins the pull of the objects that a start reads, unless it runs.
     *
     * @param answer that brought the plan and brings some of the objects; dropped when the pull runs already
     * @return the pull; empty when all is known to be present
     */
    public Optional<Pull> begin(StoredPlan plan, Optional<PlanAnswer> answer) {
        return list(plan, Urgency.FOREGROUND, answer);
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

    /**
     * The mounts in which the objects of the prefetch list are, or will be; none when nothing is pulled ahead, or where
     * there are no packs.
     */
    public List<Path> packs(StoredPlan plan) throws IOException {
        return config.startup() == PrefetchList.NONE
                ? List.of()
                : pulls.places().mounts(plans.load(plan.digest()));
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
        readAhead.close();
        marks.close();
    }
}
