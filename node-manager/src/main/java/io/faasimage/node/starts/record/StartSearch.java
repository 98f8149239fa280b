package io.faasimage.node.starts.record;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A search for the pull of a planned start and the objects that the start waited for. Used by the recorder's thread
 * alone.
 */
final class StartSearch {
    private static final int MOST_REPORTED = 4096;

    private final PlanStore plans;
    private final Pulls pulls;
    private final Events events;
    /** Pulls and fetches that a record has reported: each belongs to one start. */
    private final Map<Object, Boolean> reported = BoundedMap.lastPut(MOST_REPORTED);

    /** {@code events} receives failed reads. */
    StartSearch(PlanStore plans, Pulls pulls, Events events) {
        this.plans = plans;
        this.pulls = pulls;
        this.events = events;
    }

    /** The present findings about {@code start}, from the plan {@code stored}. */
    StartFindings of(ObservedStart start, StoredPlan stored) {
        List<PullReport> reports = pulls.finished().reversed().stream()
                .filter(report -> report.plan().equals(stored.digest())
                        && report.part().isForStart()
                        && report.beginNanos() - start.begin().nanos() >= -1_000_000_000L)
                .filter(report -> reported.putIfAbsent(report, true) == null)
                .toList();
        // A container that is prepared while the end of its pull is being noted has one more begin, which finds all
        // objects present.
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
                demands.putAll(demands(pulls.demand().since(start.begin().requested()), plan.get()));
            }
        } catch (IOException e) {
            events.error(StartJournal.KIND, "a start's misses are not known: " + Events.reason(e));
        }
        long wireBytes = demands.keySet().stream()
                .filter(demanded -> demanded.fetched() && reported.putIfAbsent(demanded, true) == null)
                .mapToLong(Demanded::wireBytes)
                .sum();
        return new StartFindings(pull, foreseen, demands, wireBytes, paths(stored, demands.keySet()));
    }

    private static Map<Demanded, Boolean> demands(List<Demanded> waited, Plan plan) {
        Set<Digest> asked = waited.stream().map(Demanded::object).collect(Collectors.toSet());
        Set<Digest> startup = new HashSet<>();
        Set<Digest> partly = new HashSet<>();
        Set<Digest> rest = new HashSet<>();
        for (int i = 0; i < plan.objects().size(); i++) {
            Digest object = plan.objects().get(i).digest();
            if (asked.contains(object)) {
                boolean listed = i < plan.startupCount();
                (listed ? plan.prefetch().get(i).isPartlyRead() ? partly : startup : rest).add(object);
            }
        }
        Map<Demanded, Boolean> demands = new LinkedHashMap<>();
        Set<Digest> seen = new HashSet<>();
        for (Demanded demanded : waited) {
            // Parts of the list come with the pull, others are fetched by the look-up.
            boolean part = partly.contains(demanded.object());
            boolean foreseen = startup.contains(demanded.object()) || (part && !demanded.fetched());
            if ((foreseen || part || rest.contains(demanded.object())) && seen.add(demanded.object())) {
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
}
