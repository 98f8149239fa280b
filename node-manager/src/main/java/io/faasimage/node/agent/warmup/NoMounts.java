package io.faasimage.node.agent.warmup;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.plans.lazy.GateReadiness;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * An empty directory for every root file system: there is nothing to mount.
 *
 * @param directory the empty one
 */
record NoMounts(Path directory) implements PlanMounts {
    /** A gate that is always there, since nothing reaches it. */
    record Gate() implements GateReadiness {
        @Override
        public void await(Duration limit) {}

        @Override
        public Optional<String> downFor(Duration span) {
            return Optional.empty();
        }
    }

    @Override
    public RootLayers open(PlanLayer layer, Path metadata, boolean inner, List<Path> packs) {
        return RootLayers.directory(directory);
    }

    @Override
    public Set<PlanLayer> used(Collection<PlanLayer> layers) {
        return Set.of();
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
