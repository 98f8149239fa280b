package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.pull.WantedObjects.Wanted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The objects of a part of a plan, in the plan's order. */
record PartObjects(List<Wanted> all) {
    /** The objects of the part, each content once: neighbouring pieces may be the same. */
    static PartObjects of(Plan plan, Part part) {
        List<PlanObject> pieces = part == Part.PIECES ? plan.pieces() : List.of();
        int objects = plan.objects().size();
        Set<Digest> seen = new HashSet<>();
        List<Wanted> all = new ArrayList<>();
        part.indexes(plan).forEach(index -> {
            boolean piece = index >= objects;
            PlanObject object =
                    piece ? pieces.get(index - objects) : plan.objects().get(index);
            if (seen.add(object.digest())) {
                all.add(new Wanted(all.size(), index, object, piece));
            }
        });
        return new PartObjects(all);
    }

    /** Those that the node does not have, numbered anew. */
    List<Wanted> missing(ObjectSink sink) {
        List<Wanted> missing = new ArrayList<>();
        for (Wanted one : all) {
            if (!sink.holds(one.digest())) {
                missing.add(new Wanted(missing.size(), one.index(), one.object(), one.piece()));
            }
        }
        return missing;
    }

    static long bytes(List<Wanted> objects) {
        return objects.stream().mapToLong(wanted -> wanted.object().size()).sum();
    }

    int count() {
        return all.size();
    }

    /** Their bytes, decompressed. */
    long bytes() {
        return bytes(all);
    }
}
