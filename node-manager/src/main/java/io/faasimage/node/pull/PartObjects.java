package io.faasimage.node.pull;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.node.pull.WantedObjects.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The objects of a part of a plan, in the plan's order. */
record PartObjects(List<Wanted> all) {
    /** The objects of the part; those of the prefetch list get places in packs, where there are packs. */
    static PartObjects of(Plan plan, Part part, PackPlaces places) {
        PlanNumbers numbers = new PlanNumbers(plan);
        places.add(plan);
        List<Wanted> all = new ArrayList<>();
        part.indexes(plan).forEach(index -> {
            boolean listed = index < plan.startupCount();
            int first = numbers.number(index, 0);
            Optional<ObjectFrames> frames =
                    listed ? Optional.of(plan.prefetch().get(index).frames()) : Optional.empty();
            all.add(new Wanted(
                    all.size(),
                    new IndexRange(
                            first, first + frames.map(ObjectFrames::count).orElse(1)),
                    plan.objects().get(index),
                    frames,
                    listed ? places.target(plan, index, part) : Optional.empty()));
        });
        return new PartObjects(all);
    }

    /** Those that the node does not have, numbered anew. */
    List<Wanted> missing(ObjectSink sink) {
        List<Wanted> missing = new ArrayList<>();
        for (Wanted one : all) {
            if (!sink.holds(one)) {
                missing.add(new Wanted(missing.size(), one.numbers(), one.object(), one.frames(), one.target()));
            }
        }
        return missing;
    }

    static long bytes(List<Wanted> objects) {
        return objects.stream().mapToLong(Wanted::bytes).sum();
    }

    int count() {
        return all.size();
    }

    /** Their bytes, decompressed. */
    long bytes() {
        return bytes(all);
    }
}
