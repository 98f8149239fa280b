package io.faasimage.registry.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.registry.object.StoredObject;
import java.util.List;

/** A plan with the places of everything that it refers to; what bundles are made from. Immutable. */
public final class PlanLayout {
    private final Digest digest;
    private final byte[] encoded;
    private final Plan plan;
    private final StoredObject metadata;
    private final List<StoredObject> objects;
    private final PlanIndex index;

    PlanLayout(
            Digest digest,
            byte[] encoded,
            Plan plan,
            StoredObject metadata,
            List<StoredObject> objects,
            PlanIndex index) {
        this.digest = digest;
        this.encoded = encoded.clone();
        this.plan = plan;
        this.metadata = metadata;
        this.objects = List.copyOf(objects);
        this.index = index;
    }

    /** The plan's name. */
    public Digest digest() {
        return digest;
    }

    /** The plan's bytes; a new array. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** How many bytes that is. */
    public int encodedLength() {
        return encoded.length;
    }

    /** The plan. */
    public Plan plan() {
        return plan;
    }

    /** The metadata image of the plan's top. */
    public StoredObject metadata() {
        return metadata;
    }

    /** Where the plan's objects lie, in its order. */
    public List<StoredObject> objects() {
        return objects;
    }

    /** The plan's objects as numbers. */
    public PlanIndex index() {
        return index;
    }
}
