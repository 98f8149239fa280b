package io.faasimage.node.containerd.snapshot;

import java.io.IOException;
import java.time.Clock;
import java.util.Collection;

/** The information that clients read from snapshots and write to them: records, labels, usage. Thread-safe. */
final class SnapshotInfos {
    private static final String UPPERDIR_LABEL = "containerd.io/snapshot/overlay.upperdir";

    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final FileWalks walks;
    private final SnapshotSettings settings;
    private final Clock clock;

    SnapshotInfos(
            SnapshotStore store,
            SnapshotDirectories directories,
            FileWalks walks,
            SnapshotSettings settings,
            Clock clock) {
        this.store = store;
        this.directories = directories;
        this.walks = walks;
        this.settings = settings;
        this.clock = clock;
    }

    /** One snapshot, with the labels that say where it lies. */
    Snapshot stat(String key) {
        return described(store.require(key));
    }

    /** Every snapshot, in no order. */
    Collection<Snapshot> list() {
        return store.all().stream().map(this::described).toList();
    }

    private Snapshot described(Snapshot snapshot) {
        return settings.upperdirLabel()
                ? snapshot.withLabel(
                        UPPERDIR_LABEL, directories.upper(snapshot.id()).toString())
                : snapshot;
    }

    /** Changes labels. */
    Snapshot update(String key, LabelChange wanted) throws IOException {
        return store.change(change -> {
            Snapshot snapshot = change.require(key);
            Snapshot updated = snapshot.withLabels(wanted.applyTo(snapshot), clock.instant());
            change.put(updated);
            return updated;
        });
    }

    /** The usage of a snapshot: counted now when it is active, else as counted on commit. */
    Usage usage(String key) throws IOException {
        Snapshot snapshot = store.require(key);
        return snapshot.kind() == SnapshotKind.ACTIVE
                ? walks.run(() -> DiskUsage.of(directories.upper(snapshot.id())))
                : snapshot.usage();
    }
}
