package io.faasimage.node.plans.rootfs;

import java.nio.file.Path;

/**
 * The layers of a planned root file system, as an overlay takes them.
 *
 * @param lowerdir value for the {@code lowerdir=} option, below any unplanned layers
 * @param metacopy whether the overlay needs {@code metacopy=on,redirect_dir=on} (false when nested)
 */
public record RootLayers(String lowerdir, boolean metacopy) {
    /** A plain directory as the only lower layer. */
    public static RootLayers directory(Path directory) {
        return new RootLayers(directory.toString(), false);
    }
}
