package io.faasimage.node.containerd.snapshot;

import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.FAILED_PRECONDITION;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Removals of snapshots: first of the record, then of the directory, whose files are deleted later. Thread-safe. */
final class SnapshotRemovals {
    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final FileWalks walks;

    SnapshotRemovals(SnapshotStore store, SnapshotDirectories directories, FileWalks walks) {
        this.store = store;
        this.directories = directories;
        this.walks = walks;
    }

    /**
     * Forgets a snapshot and puts its directory aside for {@link #cleanup}.
     *
     * @throws SnapshotException when others are on top of it
     */
    Snapshot remove(String key) throws IOException {
        Snapshot removed = store.change(change -> {
            Snapshot snapshot = change.require(key);
            if (change.hasChildren(key)) {
                throw new SnapshotException(
                        FAILED_PRECONDITION, "cannot remove snapshot '" + key + "': other snapshots are on top of it");
            }
            change.remove(key);
            return snapshot;
        });
        store.change(change -> {
            directories.discard(removed.id());
            return removed;
        });
        return removed;
    }

    /** Deletes the directories of removed snapshots, and of those that a crash kept from being recorded. */
    void cleanup() throws IOException {
        List<Path> discarded = store.change(change -> store.isComplete()
                ? directories.discardAllBut(
                        change.all().stream().map(Snapshot::id).collect(Collectors.toSet()))
                : directories.discarded());
        walks.run(() -> {
            SnapshotDirectories.delete(discarded);
            return discarded;
        });
    }
}
