package io.faasimage.registry.feedback;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Moves missed objects into the start-up set of a plan. Stateless. */
final class ExtendedPlan {
    private record Ranked(PlanObject object, double rank) {}

    private ExtendedPlan() {}

    /**
     * The plan with those of the missed objects in its start-up set that are not there yet: each where its rank says,
     * after the one that has this rank, or at the end when it has none. The same plan when there are none.
     */
    static Plan of(Plan plan, List<MissedObject> missed) {
        Map<Digest, MissedObject> byDigest = new HashMap<>();
        missed.forEach(miss -> byDigest.put(miss.object(), miss));
        List<Ranked> startup = new ArrayList<>();
        for (int i = 0; i < plan.startupCount(); i++) {
            startup.add(new Ranked(plan.objects().get(i), i));
        }
        List<PlanObject> rest = new ArrayList<>();
        for (PlanObject object : plan.rest()) {
            MissedObject miss = byDigest.get(object.digest());
            if (miss == null) {
                rest.add(object);
            } else {
                startup.add(new Ranked(object, miss.rank().orElse(Double.POSITIVE_INFINITY)));
            }
        }
        if (startup.size() == plan.startupCount()) {
            return plan;
        }
        startup.sort(Comparator.comparingDouble(Ranked::rank)); // Stable: what was there comes before what is added.
        List<PlanObject> objects = new ArrayList<>(plan.objects().size());
        startup.forEach(ranked -> objects.add(ranked.object()));
        objects.addAll(rest);
        return new Plan(plan.image(), plan.trace(), plan.layers(), plan.libraries(), objects, startup.size());
    }
}
