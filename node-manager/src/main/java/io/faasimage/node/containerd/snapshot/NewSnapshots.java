package io.faasimage.node.containerd.snapshot;

import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.INVALID_ARGUMENT;

import io.faasimage.format.id.ChainId;
import io.faasimage.linux.IdMap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Views and active snapshots that are being made: their records and directories. Thread-safe. */
final class NewSnapshots {
    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final Ancestry ancestry;
    private final Clock clock;

    NewSnapshots(SnapshotStore store, Ancestry ancestry, SnapshotDirectories directories, Clock clock) {
        this.store = store;
        this.directories = directories;
        this.ancestry = ancestry;
        this.clock = clock;
    }

    /**
     * A client's request.
     *
     * @param kind a view or an active snapshot
     * @param key its name
     * @param parent of the committed snapshot below, or empty
     * @param layer the layer that is to be unpacked into it
     * @param labels as they are recorded
     */
    record Request(SnapshotKind kind, String key, String parent, Optional<ChainId> layer, Map<String, String> labels) {
        Request {
            labels = Map.copyOf(labels);
            if (key.isEmpty()) {
                throw SnapshotException.invalid("a snapshot needs a key");
            }
            try {
                Snapshot.idMap(labels);
            } catch (IllegalArgumentException e) {
                throw new SnapshotException(INVALID_ARGUMENT, "snapshot '" + key + "': " + e.getMessage(), e);
            }
        }
    }

    /**
     * Records a snapshot and makes its directories.
     *
     * @throws SnapshotException when the key is taken or there is no such parent
     */
    Snapshot record(Request request) throws IOException {
        return store.change(change -> {
            Optional<Snapshot> below = change.requireCommitted(request.parent());
            if (change.find(request.key()).isPresent()) {
                throw SnapshotException.alreadyExists(request.key());
            }
            long id = change.nextId();
            directories.create(id, request.kind() == SnapshotKind.ACTIVE);
            if (below.isPresent()) {
                directories.copyRootAttributes(directories.upper(below.get().id()), id);
            }
            var now = clock.instant();
            Snapshot created = new Snapshot(
                    id,
                    request.key(),
                    request.parent(),
                    request.kind(),
                    false,
                    request.layer(),
                    request.labels(),
                    now,
                    now,
                    Usage.NONE);
            change.put(created);
            return created;
        });
    }

    /**
     * Gives the root directory of a new snapshot the owner and mode that its files need.
     *
     * @param mount how the snapshot is mounted
     */
    void setRoot(Snapshot created, Mount mount) throws IOException {
        if (ancestry.isOnPlan(created)) {
            // The root directory of a root file system is the upper layer's: it takes the attributes of the plan's.
            Optional<Path> root = SnapshotMounts.topmostLower(mount);
            if (root.isPresent()) {
                directories.copyRootAttributes(root.get(), created.id());
            }
        }
        if (created.kind() == SnapshotKind.ACTIVE && created.idMap().isPresent()) {
            IdMap map = created.idMap().get();
            directories.setRootOwner(created.id(), map.rootUser(), map.rootGroup());
        }
    }
}
