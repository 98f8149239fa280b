package io.faasimage.node.plans.rootfs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A way of putting planned root file systems below overlays. Thread-safe. */
public interface PlanMounts {
    /**
     * The layers of the root file system of a plan's layer, ready to be mounted.
     *
     * @param metadata file of its metadata image
     * @param inner whether unplanned layers go on top
     * @param packs mounts of packs with its objects; only when {@code inner} is false
     */
    RootLayers open(PlanLayer layer, Path metadata, boolean inner, List<Path> packs) throws IOException;

    /**
     * Those of {@code layers} that containers run on which outlived a gate, and may need objects it can no more fetch.
     */
    Set<PlanLayer> used(Collection<PlanLayer> layers);

    /** Those of {@code layers} whose root file systems are mounted for containers now; all when that is not known. */
    Set<PlanLayer> inUse(Collection<PlanLayer> layers);

    /**
     * Takes the mounts of a metadata image away; running containers keep theirs.
     *
     * @param unused evaluated while nothing opens the image: false keeps the mounts
     */
    void release(Digest image, BooleanSupplier unused);

    /** The gate was replaced: mounts made with the old one are not used again. */
    void gateReplaced();
}
