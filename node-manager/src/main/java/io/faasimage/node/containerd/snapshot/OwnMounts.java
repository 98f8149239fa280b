package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.plans.rootfs.MountLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;

/**
 * Root file systems that are mounted here, and given to containerd as a directory to bind. Clients of containerd 2.3
 * and later read files of an image without mounting it, out of the directories of {@code lowerdir}, and take the
 * {@code ::} before data-only layers for an empty one. At {@code snapshots/<id>/root}; they outlive the process, and
 * end with their snapshot. A file {@code snapshots/<id>/stale} marks a mount that leads to a gate that is gone.
 * Thread-safe: a mount waits for the gate below it, so only calls for the same snapshot wait for one another.
 */
final class OwnMounts {
    private final SnapshotDirectories directories;
    private final MountLocks<Long> locks = new MountLocks<>();

    OwnMounts(SnapshotDirectories directories) {
        this.directories = directories;
    }

    /**
     * The mounts in the answer to containerd: the mount itself, or a bind of it when it has layers that not every
     * client understands.
     */
    Mount serve(Snapshot snapshot, Mount mount) throws IOException {
        if (!OwnOverlay.isNeeded(mount)) {
            return mount;
        }
        Path place = directories.rootMount(snapshot.id());
        Path stale = directories.staleMark(snapshot.id());
        try (var _ = locks.take(snapshot.id())) {
            boolean mounted = MountTable.read().at(place).isPresent();
            if (mounted && Files.exists(stale) && !isUsedElsewhere(snapshot.id(), place)) {
                Mounts.unmount(place);
                mounted = false;
            }
            if (!mounted) {
                Files.createDirectories(place);
                OwnOverlay.mount(mount, place);
                Files.deleteIfExists(stale);
            }
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
    void end(Snapshot snapshot) throws IOException {
        if (snapshot.kind() == SnapshotKind.COMMITTED) {
            return;
        }
        long id = snapshot.id();
        Path place = directories.rootMount(id);
        try (var _ = locks.take(id)) {
            if (Files.exists(place)) {
                while (MountTable.read().at(place).isPresent()) {
                    Mounts.detach(place);
                }
                Files.deleteIfExists(place);
            }
            Files.deleteIfExists(directories.staleMark(id));
        }
    }

    /** The gate that these mounts lead to is gone: each is made anew when its container starts next. */
    void gateReplaced(Collection<Snapshot> snapshots) throws IOException {
        MountTable table = MountTable.read();
        for (Snapshot snapshot : snapshots) {
            if (table.at(directories.rootMount(snapshot.id())).isPresent()) {
                Files.write(directories.staleMark(snapshot.id()), new byte[0]);
            }
        }
    }
}
