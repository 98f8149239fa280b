package io.faasimage.node.plans.rootfs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.linux.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Root file systems that the gate shows, one directory for each metadata image; nothing is mounted for one. A container
 * on one is dead when its gate dies, so nothing is pulled for it then. The mounts of containers of an earlier run are
 * left to {@link RootMounts}.
 */
public final class GateViews implements PlanMounts {
    private final Path images;
    private final Path root;
    private final PlanMounts earlier;

    /**
     * @param images where the gate mounts them
     * @param earlier mounts that were made when the kernel's own were chosen
     */
    public GateViews(Path images, PlanMounts earlier) {
        this.images = images;
        this.root = images.toAbsolutePath().normalize().resolve("..").normalize();
        this.earlier = earlier;
    }

    @Override
    public RootLayers open(PlanLayer layer, Path metadata, boolean inner, List<Path> packs) throws IOException {
        Path view = images.resolve(layer.metadata().hex());
        if (!Files.isDirectory(view)) {
            throw new IOException("the gate does not serve the root file system of chain " + layer.chainId() + " at "
                    + view + "; see its log for the reason");
        }
        return RootLayers.directory(view);
    }

    @Override
    public Set<PlanLayer> used(Collection<PlanLayer> layers) {
        return earlier.used(layers);
    }

    @Override
    public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
        Set<PlanLayer> used = new HashSet<>(earlier.inUse(layers));
        String options;
        try {
            options = MountTable.read().entries().stream()
                    .filter(entry -> entry.type().equals("overlay")
                            && !Path.of(entry.target()).startsWith(root))
                    .map(MountTable.Entry::superOptions)
                    .collect(Collectors.joining(","));
        } catch (IOException e) {
            return Set.copyOf(layers);
        }
        layers.stream()
                .filter(layer -> options.contains(
                        images.getFileName() + "/" + layer.metadata().hex()))
                .forEach(used::add);
        return used;
    }

    @Override
    public void release(Digest image, BooleanSupplier unused) {
        earlier.release(image, unused);
    }

    @Override
    public void gateReplaced() {
        earlier.gateReplaced();
    }
}
