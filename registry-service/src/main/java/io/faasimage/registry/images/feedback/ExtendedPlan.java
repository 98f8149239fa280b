package io.faasimage.registry.images.feedback;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A plan with missed objects in its prefetch list. Stateless. */
final class ExtendedPlan {
    private ExtendedPlan() {}

    /** A source of the frames of objects. */
    @FunctionalInterface
    interface FrameSource {
        /** The frames of those of the objects that are stored, and perhaps of others. */
        Map<Digest, ObjectFrames> of(List<Digest> objects) throws IOException;
    }

    /** The plan with those of the missed objects at the end of its prefetch list that are not there yet, if any. */
    static Plan of(Plan plan, Set<Digest> missed, FrameSource source) throws IOException {
        List<PlanObject> added = plan.rest().stream()
                .filter(object -> missed.contains(object.digest()))
                .toList();
        if (added.isEmpty()) {
            return plan;
        }
        Map<Digest, ObjectFrames> frames =
                source.of(added.stream().map(PlanObject::digest).toList());
        List<PlanObject> objects = new ArrayList<>(plan.startup());
        List<PrefetchObject> prefetch = new ArrayList<>(plan.prefetch());
        List<PlanObject> rest = new ArrayList<>();
        for (PlanObject object : plan.rest()) {
            ObjectFrames stored = missed.contains(object.digest()) ? frames.get(object.digest()) : null;
            if (stored == null) {
                rest.add(object);
            } else {
                objects.add(object);
                prefetch.add(PrefetchObject.whole(stored));
            }
        }
        objects.addAll(rest);
        return new Plan(plan.image(), plan.trace(), plan.layers(), plan.libraries(), objects, prefetch);
    }
}
