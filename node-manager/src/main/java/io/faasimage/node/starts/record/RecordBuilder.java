package io.faasimage.node.starts.record;

import io.faasimage.api.image.StartMode;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.PullReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A builder of records from observed starts. Used by the recorder's thread alone. */
final class RecordBuilder {
    private static final int MOST_REASON = 1000;

    private final PlanStore plans;
    private final StartSearch search;
    private final StartMode usual;

    /** {@code usual} is when containers start whose functions do not say. */
    RecordBuilder(PlanStore plans, StartSearch search, StartMode usual) {
        this.plans = plans;
        this.search = search;
        this.usual = usual;
    }

    /** The record when the container may start; sent only when this process ends before the start does. */
    StartRecord begun(ObservedStart start) {
        String reason = "the node agent ended before the start was over";
        return start.begin()
                .plan()
                .map(plan -> planned(start, plan, StartKind.LAZY, reason, StartFindings.NONE))
                .orElseGet(() -> ordinary(start));
    }

    /** The record of a start that is over. */
    StartRecord ended(ObservedStart start) {
        Optional<StoredPlan> plan = start.begin().plan();
        if (plan.isEmpty()) {
            return ordinary(start);
        }
        StartFindings found = search.of(start, plan.get());
        long unforeseen = found.unforeseen();
        StartKind kind = unforeseen == 0 ? StartKind.LAZY : StartKind.MISSES;
        @Nullable
        String reason = unforeseen == 0
                ? found.pull()
                        .flatMap(RecordBuilder::failure)
                        .or(() -> start.begin()
                                .arrival()
                                .flatMap(PlanArrived::way)
                                .map(way -> "plan from the registry, " + way))
                        .orElse(null)
                : unforeseen + " objects were read that are not in the prefetch list, or not as a whole";
        return planned(start, plan.get(), kind, reason, found);
    }

    private static Optional<String> failure(PullReport pull) {
        return pull.complete()
                ? Optional.empty()
                : Optional.of(pull.missing() + " objects of the prefetch list could not be pulled: "
                        + String.join("; ", pull.failures()));
    }

    private StartRecord planned(
            ObservedStart start, StoredPlan plan, StartKind kind, @Nullable String reason, StartFindings found) {
        Optional<PullReport> pull = found.pull();
        Optional<PlanArrived> arrival = start.begin().arrival();
        boolean failed = start.failure().isPresent();
        long unforeseen = found.unforeseen();
        boolean cold = arrival.isPresent() || pull.filter(p -> p.objects() > 0).isPresent() || found.wireBytes() > 0;
        OptionalLong foreseen = found.foreseen();
        return new StartRecord(
                start.begin().id(),
                start.begin().at(),
                failed ? StartKind.REFUSED : kind,
                cut(failed ? start.failure().get() : reason),
                cold,
                plan.image().toString(),
                plan.top().chainId().toString(),
                null,
                null,
                plan.digest().toString(),
                plans.settings().startMode(plan.digest()).orElse(usual),
                RecordTimes.phases(start, pull),
                pull.map(p -> RecordTimes.segments(start, p)).orElse(List.of()),
                arrival.map(PlanArrived::bytes).orElse(0L)
                        + pull.map(PullReport::wireBytes).orElse(0L)
                        + found.wireBytes(),
                pull.map(p -> (long) p.held()).orElse(null),
                pull.map(PullReport::heldBytes).orElse(null),
                foreseen.isPresent() ? foreseen.getAsLong() : null,
                foreseen.isPresent()
                        ? (foreseen.getAsLong() + unforeseen == 0
                                ? 1.0
                                : (double) foreseen.getAsLong() / (foreseen.getAsLong() + unforeseen))
                        : null,
                found.demands().size(),
                fetches(start, found),
                misses(found));
    }

    private StartRecord ordinary(ObservedStart start) {
        boolean failed = start.failure().isPresent();
        @Nullable
        String reason =
                failed ? start.failure().get() : start.begin().unplanned().orElse(null);
        return new StartRecord(
                start.begin().id(),
                start.begin().at(),
                failed ? StartKind.REFUSED : StartKind.FULL,
                cut(reason),
                start.begin().unpacked(),
                null,
                start.begin().container().top().map(ChainId::toString).orElse(null),
                null,
                null,
                null,
                null,
                RecordTimes.phases(start, Optional.empty()),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                0,
                List.of(),
                List.of());
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null || reason.length() <= MOST_REASON ? reason : reason.substring(0, MOST_REASON);
    }

    private static List<DemandFetch> fetches(ObservedStart start, StartFindings found) {
        return found.demands().entrySet().stream()
                .limit(StartRecord.MAX_DEMANDS)
                .map(entry -> {
                    Demanded demanded = entry.getKey();
                    return new DemandFetch(
                            demanded.object().toString(),
                            found.paths().get(demanded.object()),
                            RecordTimes.micros(
                                    demanded.askedNanos() - start.begin().nanos()),
                            RecordTimes.micros(demanded.hereNanos() - demanded.askedNanos()),
                            entry.getValue());
                })
                .toList();
    }

    private static List<String> misses(StartFindings found) {
        return found.demands().entrySet().stream()
                .filter(entry -> !entry.getValue())
                .limit(StartRecord.MAX_MISSES)
                .map(entry -> entry.getKey().object().toString())
                .toList();
    }
}
