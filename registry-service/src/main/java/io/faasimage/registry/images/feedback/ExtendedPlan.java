package io.faasimage.registry.images.feedback;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A plan with missed objects in its prefetch list. Stateless. */
final class ExtendedPlan {
    private ExtendedPlan() {}

    /** The plan with those of the missed objects at the end of its prefetch list that are not there yet, if any. */
    static Plan of(Plan plan, Set<Digest> missed) {
        List<PlanObject> objects = new ArrayList<>(plan.objects().subList(0, plan.startupCount()));
        List<PlanObject> rest = new ArrayList<>();
        for (PlanObject object : plan.rest()) {
            (missed.contains(object.digest()) ? objects : rest).add(object);
        }
        int startup = objects.size();
        objects.addAll(rest);
        return startup == plan.startupCount()
                ? plan
                : new Plan(
                        plan.image(), plan.trace(), plan.layers(), plan.libraries(), objects, startup, plan.pieced());
    }
}
