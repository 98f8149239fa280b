package io.faasimage.node.record;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.record.ObservedStart.Step;
import io.faasimage.node.start.StartEvent.PlanArrived;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes records of what was seen of starts. Used by the recorder's thread alone. */
final class RecordBuilder {
    private static final int MOST_REASON = 1000;
    private static final int MOST_TOLD = 4096;

    private final PlanStore plans;
    private final Pulls pulls;
    private final StartMode usual;
    private final Events events;
    /** Pulls and fetches that a record has told of: each belongs to one start. */
    private final Map<Object, Boolean> told = BoundedMap.lastPut(MOST_TOLD);

    /** {@code usual} is when containers start whose functions do not say. */
    RecordBuilder(PlanStore plans, Pulls pulls, StartMode usual, Events events) {
        this.plans = plans;
        this.pulls = pulls;
        this.usual = usual;
        this.events = events;
    }

    /** What is known when the container may start; sent only when this process ends before the start does. */
    StartRecord begun(ObservedStart start) {
        String reason = "the node agent ended before the start was over";
        return start.begin()
                .plan()
                .map(plan -> planned(start, plan, StartKind.LAZY, reason, Found.NONE))
                .orElseGet(() -> ordinary(start));
    }

    /** The record of a start that is over. */
    StartRecord ended(ObservedStart start) {
        Optional<StoredPlan> plan = start.begin().plan();
        if (plan.isEmpty()) {
            return ordinary(start);
        }
        Found found = find(start, plan.get());
        long unforeseen =
                found.demands().values().stream().filter(foreseen -> !foreseen).count();
        StartKind kind = unforeseen == 0 ? StartKind.LAZY : StartKind.MISSES;
        @Nullable
        String reason = unforeseen == 0
                ? found.pull().flatMap(RecordBuilder::failure).orElse(null)
                : unforeseen + " objects were read that are not in the prefetch list";
        return planned(start, plan.get(), kind, reason, found);
    }

    private static Optional<String> failure(PullReport pull) {
        return pull.complete()
                ? Optional.empty()
                : Optional.of(pull.missing() + " objects of the prefetch list could not be pulled: "
                        + String.join("; ", pull.failures()));
    }

    /**
     * What was found out about a planned start.
     *
     * @param pull that was for it
     * @param foreseen objects of the start-up set; empty when the plan is not here any more
     * @param demands what was demanded of the plan's objects, and whether it was foreseen
     * @param wireBytes of those that no other start has told of
     * @param paths of some of these
     */
    private record Found(
            Optional<PullReport> pull,
            OptionalLong foreseen,
            Map<Demanded, Boolean> demands,
            long wireBytes,
            Map<Digest, String> paths) {
        static final Found NONE = new Found(Optional.empty(), OptionalLong.empty(), Map.of(), 0, Map.of());
    }

    private Found find(ObservedStart start, StoredPlan stored) {
        List<PullReport> reports = pulls.finished().reversed().stream()
                .filter(report -> report.plan().equals(stored.digest())
                        && report.part() == Part.STARTUP
                        && report.beginNanos() - start.begin().nanos() >= -1_000_000_000L)
                .filter(report -> told.putIfAbsent(report, true) == null)
                .toList();
        // A container that is prepared while the end of its pull is being noted has one more begin, which finds all
        // held.
        Optional<PullReport> pull = reports.stream()
                .filter(report -> report.objects() > 0)
                .findFirst()
                .or(() -> reports.stream().findFirst());
        Map<Demanded, Boolean> demands = new LinkedHashMap<>();
        OptionalLong foreseen = OptionalLong.empty();
        try {
            Optional<Plan> plan = plans.loadIfHere(stored.digest());
            if (plan.isPresent()) {
                foreseen = OptionalLong.of(plan.get().startupCount());
                demands.putAll(demands(start, plan.get()));
            }
        } catch (IOException e) {
            events.error(StartJournal.KIND, "a start's misses are not known: " + Events.reason(e));
        }
        long wireBytes = demands.keySet().stream()
                .filter(demanded -> demanded.fetched() && told.putIfAbsent(demanded, true) == null)
                .mapToLong(Demanded::wireBytes)
                .sum();
        return new Found(pull, foreseen, demands, wireBytes, paths(stored, demands.keySet()));
    }

    private static Map<Demanded, Boolean> demands(ObservedStart start, Plan plan) {
        Set<Digest> asked = start.demands().stream().map(Demanded::object).collect(Collectors.toSet());
        Set<Digest> startup = new HashSet<>();
        Set<Digest> rest = new HashSet<>();
        int index = 0;
        for (PlanObject object : plan.objects()) {
            if (asked.contains(object.digest())) {
                (index < plan.startupCount() ? startup : rest).add(object.digest());
            }
            index++;
        }
        Map<Demanded, Boolean> demands = new LinkedHashMap<>();
        Set<Digest> seen = new HashSet<>();
        for (Demanded demanded : start.demands()) {
            boolean foreseen = startup.contains(demanded.object());
            if ((foreseen || rest.contains(demanded.object())) && seen.add(demanded.object())) {
                demands.put(demanded, foreseen);
            }
        }
        return demands;
    }

    private Map<Digest, String> paths(StoredPlan plan, Set<Demanded> demands) {
        Set<Digest> objects = demands.stream()
                .limit(StartRecord.MAX_DEMANDS)
                .map(Demanded::object)
                .collect(Collectors.toSet());
        if (objects.isEmpty()) {
            return Map.of();
        }
        try {
            return ObjectPaths.find(plans.images().path(plan.top().metadata()), objects);
        } catch (IOException e) {
            events.error(StartJournal.KIND, "paths of objects on demand are not known: " + Events.reason(e));
            return Map.of();
        }
    }

    private StartRecord planned(
            ObservedStart start, StoredPlan plan, StartKind kind, @Nullable String reason, Found found) {
        Optional<PullReport> pull = found.pull();
        Optional<PlanArrived> arrival = start.begin().arrival();
        boolean failed = start.failure().isPresent();
        long unforeseen =
                found.demands().values().stream().filter(foreseen -> !foreseen).count();
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
                plans.startMode(plan.digest()).orElse(usual),
                phases(start, pull),
                pull.map(p -> segments(start, p)).orElse(List.of()),
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
                start.begin().spans().traceId().orElse(null),
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
                phases(start, Optional.empty()),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                start.begin().spans().traceId().orElse(null),
                0,
                List.of(),
                List.of());
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null || reason.length() <= MOST_REASON ? reason : reason.substring(0, MOST_REASON);
    }

    private static StartPhases phases(ObservedStart start, Optional<PullReport> pull) {
        Optional<PlanArrived> arrival = start.begin().arrival();
        OptionalLong last = pull.filter(PullReport::complete).stream()
                .flatMap(p -> p.segments().stream()
                        .filter(segment -> segment.objects() > 0)
                        .map(segment -> p.beginNanos() + segment.took().toNanos()))
                .mapToLong(Long::longValue)
                .max();
        // containerd tells of the first process when it has begun; a trace may have seen more by then.
        OptionalLong process = earlier(start.time(Step.FIRST_PROCESS), start.time(Step.READY));
        return new StartPhases(
                micros(start, arrival.map(PlanArrived::requested)),
                micros(start, arrival.map(PlanArrived::firstByte)),
                micros(start, arrival.map(PlanArrived::present)),
                micros(start, start.time(Step.MOUNTED)),
                micros(start, start.time(Step.MAY_START)),
                micros(start, earlier(start.time(Step.CREATED), process)),
                micros(start, process),
                micros(start, start.time(Step.READY)),
                micros(start, last));
    }

    private static OptionalLong earlier(OptionalLong time, OptionalLong limit) {
        return time.isPresent() && limit.isPresent() && time.getAsLong() > limit.getAsLong() ? limit : time;
    }

    private static List<SegmentPull> segments(ObservedStart start, PullReport pull) {
        long offset = pull.beginNanos() - start.begin().nanos();
        return pull.segments().stream()
                .map(segment -> new SegmentPull(
                        segment.segment().label(),
                        segment.objects(),
                        segment.storedBytes(),
                        segment.objects() == 0
                                ? null
                                : micros(offset + segment.first().toNanos()),
                        segment.objects() == 0
                                ? null
                                : micros(offset + segment.took().toNanos())))
                .toList();
    }

    private static List<DemandFetch> fetches(ObservedStart start, Found found) {
        return found.demands().entrySet().stream()
                .limit(StartRecord.MAX_DEMANDS)
                .map(entry -> {
                    Demanded demanded = entry.getKey();
                    return new DemandFetch(
                            demanded.object().toString(),
                            found.paths().get(demanded.object()),
                            micros(demanded.askedNanos() - start.begin().nanos()),
                            micros(demanded.hereNanos() - demanded.askedNanos()),
                            entry.getValue());
                })
                .toList();
    }

    private static List<String> misses(Found found) {
        return found.demands().entrySet().stream()
                .filter(entry -> !entry.getValue())
                .limit(StartRecord.MAX_MISSES)
                .map(entry -> entry.getKey().object().toString())
                .toList();
    }

    private static @Nullable Long micros(ObservedStart start, Optional<Long> nanos) {
        return nanos.map(n -> micros(n - start.begin().nanos())).orElse(null);
    }

    private static @Nullable Long micros(ObservedStart start, OptionalLong nanos) {
        return nanos.isPresent() ? micros(nanos.getAsLong() - start.begin().nanos()) : null;
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1000);
    }
}
