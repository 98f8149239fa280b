package io.faasimage.node.containerd.snapshot;

import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.FAILED_PRECONDITION;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.plans.rootfs.MountLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Active snapshots that become layers: their stubs are filled, and their usage is counted. Thread-safe. */
final class LayerCommits {
    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final SnapshotMounts mounts;
    private final FileWalks walks;
    private final Clock clock;
    private final MountLocks<Long> filling = new MountLocks<>();

    LayerCommits(
            SnapshotStore store, SnapshotDirectories directories, SnapshotMounts mounts, FileWalks walks, Clock clock) {
        this.store = store;
        this.directories = directories;
        this.mounts = mounts;
        this.walks = walks;
        this.clock = clock;
    }

    /**
     * The snapshot that is to become the layer {@code name}.
     *
     * @param parent its parent in the client's view, or empty
     * @throws SnapshotException when it cannot
     */
    Snapshot require(String name, String key, String parent) {
        Snapshot active = requireActive(store.require(key));
        if (!parent.isEmpty() && !parent.equals(active.parent())) {
            throw SnapshotException.invalid(
                    "snapshot '" + key + "' cannot be moved to the parent '" + parent + "' on commit");
        }
        if (store.find(name).isPresent()) {
            throw SnapshotException.alreadyExists(name);
        }
        return active;
    }

    /** Makes {@code active}, which is no longer mounted, the layer {@code name}. */
    void commit(Snapshot active, String name, Map<String, String> labels) throws IOException {
        fillStubs(active);
        Usage usage = walks.run(() -> DiskUsage.of(directories.upper(active.id())));
        store.change(change -> {
            Snapshot now = requireActive(change.require(active.key()));
            if (change.find(name).isPresent()) {
                throw SnapshotException.alreadyExists(name);
            }
            change.remove(active.key());
            change.put(layer(now, name, labels, usage));
            return now;
        });
    }

    private void fillStubs(Snapshot active) throws IOException {
        if (!mounts.mayHoldStubs(active)) {
            return;
        }
        try (var _ = filling.take(active.id())) {
            Path upper = directories.upper(active.id());
            if (StubFiles.isMounted(upper)) {
                throw new SnapshotException(
                        FAILED_PRECONDITION,
                        "snapshot '" + active.key() + "' is still mounted; unmount it, then commit");
            }
            Mount overlay = mounts.of(active);
            walks.run(() -> {
                StubFiles.fill(overlay, upper, directories.mountPoint(active.id()));
                return overlay;
            });
        }
    }

    private Snapshot layer(Snapshot active, String name, Map<String, String> labels, Usage usage) {
        var now = clock.instant();
        Optional<ChainId> chain = SnapshotKey.chain(labels.getOrDefault(Snapshot.REF_LABEL, ""), name)
                .or(active::chain);
        Snapshot layer = new Snapshot(
                active.id(), name, active.parent(), SnapshotKind.COMMITTED, false, chain, labels, now, now, usage);
        return SnapshotKey.isChangeOfOwners(active.key()) ? layer.withLabel(Snapshot.OWNED_LABEL, "true") : layer;
    }

    private static Snapshot requireActive(Snapshot snapshot) {
        if (snapshot.kind() != SnapshotKind.ACTIVE) {
            throw new SnapshotException(FAILED_PRECONDITION, "snapshot '" + snapshot.key() + "' is not active");
        }
        return snapshot;
    }
}
