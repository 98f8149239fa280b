package io.faasimage.node.snapshot;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Root file systems that are mounted here, and given to containerd as a directory to bind. Clients of containerd 2.3 and
 * later read files of an image without mounting it, out of the directories of {@code lowerdir}, and take the {@code ::}
 * before data-only layers for an empty one. At {@code snapshots/<id>/root}; they outlive the process, and end with their
 * snapshot. Thread-safe.
 */
final class OwnMounts {
    private static final String DATA_LAYERS = "::";

    private final SnapshotDirectories directories;
    /** Snapshots whose mounts lead to a gate that is gone. */
    private final Set<Long> stale = new HashSet<>();

    OwnMounts(SnapshotDirectories directories) {
        this.directories = directories;
    }

    /** What containerd is told: the mount itself, or a bind of it when it has layers that not every client understands. */
    synchronized Mount serve(Snapshot snapshot, Mount mount) throws IOException {
        if (SnapshotMounts.lowerdir(mount)
                .filter(lower -> lower.contains(DATA_LAYERS))
                .isEmpty()) {
            return mount;
        }
        Path place = directories.rootMount(snapshot.id());
        boolean mounted = MountTable.read().at(place).isPresent();
        if (mounted && stale.remove(snapshot.id()) && !isUsedElsewhere(snapshot.id(), place)) {
            Mounts.unmount(place);
            mounted = false;
        }
        if (!mounted) {
            Files.createDirectories(place);
            Mounts.mount(mount.source(), place, mount.type(), mount.options());
        }
        return Mount.bind(place, snapshot.kind() == SnapshotKind.ACTIVE);
    }

    /** Whether a container runs on it: then its superblock is bound at another place, too. */
    private boolean isUsedElsewhere(long id, Path place) throws IOException {
        String upper = "upperdir=" + directories.upper(id);
        return MountTable.read().entries().stream()
                .anyMatch(entry -> !entry.target().equals(place.toString())
                        && Set.of(entry.superOptions().split(",", -1)).contains(upper));
    }

    /** Takes the snapshot's mount away; a container that runs on it keeps its own. */
    synchronized void end(long id) throws IOException {
        Path place = directories.rootMount(id);
        stale.remove(id);
        if (Files.exists(place)) {
            while (MountTable.read().at(place).isPresent()) {
                Mounts.detach(place);
            }
            Files.deleteIfExists(place);
        }
    }

    /** The gate that these mounts lead to is gone: each is made anew when its container starts next. */
    synchronized void gateReplaced(Collection<Snapshot> snapshots) throws IOException {
        MountTable table = MountTable.read();
        snapshots.stream()
                .map(Snapshot::id)
                .filter(id -> table.at(directories.rootMount(id)).isPresent())
                .forEach(stale::add);
    }
}
