package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Mounts nothing: every root file system is one directory. */
public class FakeMounts implements PlanMounts {
    private final Path directory;

    /** {@code directory} stands for every root file system. */
    public FakeMounts(Path directory) {
        this.directory = directory;
    }

    @Override
    public RootLayers open(PlanLayer layer, Path metadata, boolean inner, List<Path> packs) {
        return RootLayers.directory(directory);
    }

    @Override
    public Set<PlanLayer> used(Collection<PlanLayer> layers) {
        return inUse(layers);
    }

    @Override
    public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
        return Set.of();
    }

    @Override
    public void release(Digest image, BooleanSupplier unused) {}

    @Override
    public void gateReplaced() {}
}
