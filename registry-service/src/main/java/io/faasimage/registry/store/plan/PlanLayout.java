package io.faasimage.registry.store.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.store.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan with the places of everything that it refers to: the basis of bundles. The places of objects that no start
 * reads are looked up when they are requested first: they are most, and the first start of an image would wait for
 * them. Thread-safe.
 */
public final class PlanLayout {
    private final Digest digest;
    private final byte[] encoded;
    private final Plan plan;
    private final StoredObject metadata;
    private final boolean predicted;
    private final List<StoredObject> startup;
    private final PlanIndex index;
    private final Places places;
    private final PlanNumbers numbers;
    private @Nullable List<StoredObject> rest;

    /** The look-up of the places of the plan's objects. */
    @FunctionalInterface
    interface Places {
        /** In the order of {@code objects}. */
        List<StoredObject> of(List<PlanObject> objects);
    }

    PlanLayout(
            Digest digest,
            byte[] encoded,
            Plan plan,
            boolean predicted,
            StoredObject metadata,
            PlanIndex index,
            Places places) {
        this.digest = digest;
        this.encoded = encoded.clone();
        this.plan = plan;
        this.predicted = predicted;
        this.metadata = metadata;
        this.startup = List.copyOf(places.of(plan.startup()));
        this.numbers = new PlanNumbers(plan);
        this.index = index;
        this.places = places;
    }

    /** The plan's name. */
    public Digest digest() {
        return digest;
    }

    /** The plan's bytes; a new array. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** The length of the encoded plan, bytes. */
    public int encodedLength() {
        return encoded.length;
    }

    public Plan plan() {
        return plan;
    }

    /** Whether it is predicted, and not made from a trace. */
    public boolean isPredicted() {
        return predicted;
    }

    /** The metadata image of the plan's top. */
    public StoredObject metadata() {
        return metadata;
    }

    /** The number of the plan's objects. */
    public int count() {
        return plan.objects().size();
    }

    /** The numbers by which its frames and objects are requested. */
    public PlanNumbers numbers() {
        return numbers;
    }

    /** An object of the prefetch list that is stored in other frames than the plan names, if there is one. */
    Optional<StoredObject> changed() {
        for (int i = 0; i < startup.size(); i++) {
            if (startup.get(i).storedLength() != plan.prefetch().get(i).frames().storedSize()) {
                return Optional.of(startup.get(i));
            }
        }
        return Optional.empty();
    }

    /** What these numbers name, in their order; neighbouring frames of an object are one part. */
    public List<PlanPart> parts(int[] wanted) {
        List<PlanPart> parts = new ArrayList<>();
        for (int i = 0; i < wanted.length; ) {
            int object = numbers.object(wanted[i]);
            if (object >= startup.size()) {
                parts.add(new PlanPart(rest().get(object - startup.size()), -1, 1));
                i++;
                continue;
            }
            int next = i + 1;
            while (next < wanted.length
                    && wanted[next] == wanted[next - 1] + 1
                    && numbers.object(wanted[next]) == object) {
                next++;
            }
            parts.add(part(object, numbers.frame(wanted[i]), next - i));
            i = next;
        }
        return parts;
    }

    private PlanPart part(int object, int frame, int count) {
        StoredObject stored = startup.get(object);
        ObjectFrames frames = plan.prefetch().get(object).frames();
        long offset = frames.offset(frame);
        return new PlanPart(
                new StoredObject(
                        stored.digest(),
                        stored.blob(),
                        stored.offset() + offset,
                        frames.end(frame + count - 1) - offset,
                        stored.rawSize()),
                frame,
                count);
    }

    private synchronized List<StoredObject> rest() {
        List<StoredObject> here = rest;
        if (here == null) {
            here = List.copyOf(places.of(plan.rest()));
            rest = here;
        }
        return here;
    }

    /** The plan's objects as numbers. */
    public PlanIndex index() {
        return index;
    }
}
