package io.faasimage.registry.store.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.store.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
    private final List<PlanObject> pieces;
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
        this.pieces = plan.pieces();
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

    /** The number of objects and pieces that can be requested: the pieces are counted on from the objects. */
    public int requestable() {
        return count() + pieces.size();
    }

    /** Where an object lies, by its index into the plan's, or a piece behind them. */
    public StoredObject object(int index) {
        return index < startup.size() ? startup.get(index) : rest().get(index - startup.size());
    }

    /** Where objects and pieces lie, by their indexes. */
    public List<StoredObject> objects(int from, int to) {
        return to <= startup.size()
                ? startup.subList(from, to)
                : IntStream.range(from, to).mapToObj(this::object).toList();
    }

    private synchronized List<StoredObject> rest() {
        List<StoredObject> here = rest;
        if (here == null) {
            List<PlanObject> others = new ArrayList<>(plan.objects().subList(startup.size(), count()));
            others.addAll(pieces);
            here = List.copyOf(places.of(others));
            rest = here;
        }
        return here;
    }

    /** The plan's objects as numbers. */
    public PlanIndex index() {
        return index;
    }
}
