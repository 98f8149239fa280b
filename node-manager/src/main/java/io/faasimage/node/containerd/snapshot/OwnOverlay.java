package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.IdMap;
import io.faasimage.linux.IdMappedMounts;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An overlay that is mounted here. With {@code uidmap} and {@code gidmap} among its options it belongs to the users of
 * a user namespace: its topmost lower layer is mounted once more with its ids mapped. The layers behind {@code ::} have
 * contents only, whose owners are not visible.
 */
final class OwnOverlay {
    private static final String DATA_LAYERS = "::";
    private static final String MAPPED = "ids";

    private OwnOverlay() {}

    /** Whether clients would not understand it: they take {@code ::} for an empty layer. */
    static boolean isNeeded(Mount mount) {
        return SnapshotMounts.lowerdir(mount)
                .filter(lower -> lower.contains(DATA_LAYERS))
                .isPresent();
    }

    /** Mounts {@code overlay} at {@code place}. */
    static void mount(Mount overlay, Path place) throws IOException {
        Optional<IdMap> map = overlay.idMap();
        if (map.isEmpty()) {
            Mounts.mount(overlay.source(), place, overlay.type(), overlay.options());
            return;
        }
        String lower = SnapshotMounts.lowerdir(overlay).orElseThrow();
        String top = lower.substring(0, lower.indexOf(DATA_LAYERS));
        if (top.contains(":")) {
            throw new IOException("the ids of several layers cannot be mapped: " + top);
        }
        Path mapped = Files.createDirectories(place.resolveSibling(MAPPED));
        try {
            IdMappedMounts.bind(Path.of(top), mapped, map.get());
            try {
                Mount own = overlay.withoutIdMap().withLowerdir(mapped + lower.substring(top.length()));
                Mounts.mount(own.source(), place, own.type(), own.options());
            } finally {
                Mounts.detach(mapped); // the overlay has it, too
            }
        } finally {
            Files.deleteIfExists(mapped);
        }
    }
}
