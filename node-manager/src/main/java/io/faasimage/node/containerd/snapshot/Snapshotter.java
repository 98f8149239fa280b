package io.faasimage.node.containerd.snapshot;

import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.ALREADY_EXISTS;
import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.FAILED_PRECONDITION;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The snapshots and their operations: containerd's, as steps of the classes beside it.
 * Thread-safe.
 *
 * <p>Implementation notes: directories are made and put aside only within {@link SnapshotStore#change}, so that they
 * and the records move together. Everything slow (waiting for a plan, adding up sizes, deleting trees) happens outside
 * of it. Trees are walked by threads of their own ({@link FileWalks}): a walk would occupy a call's thread for long.
 */
final class Snapshotter implements AutoCloseable {
    private final SnapshotStore store;
    private final FileWalks walks = new FileWalks();
    private final Ancestry ancestry;
    private final LazyImages lazyImages;
    private final LayerClaims claims;
    private final NewSnapshots newSnapshots;
    private final SnapshotMounts mounts;
    private final OwnMounts ownMounts;
    private final ContainerStarts starts;
    private final LayerCommits commits;
    private final SnapshotRemovals removals;
    private final SnapshotInfos infos;

    /**
     * Reads the state under {@code root} and removes the remains of a crash.
     *
     * @throws IOException when the state cannot be read, or another process uses it
     */
    Snapshotter(Path root, LazyImages lazyImages, StartTracing tracing, Clock clock) throws IOException {
        this(root, lazyImages, tracing, StartEvents.NONE, SnapshotSettings.usual(), clock);
    }

    /** A snapshotter whose {@code events} receives the events of container starts. */
    Snapshotter(
            Path root,
            LazyImages lazyImages,
            StartTracing tracing,
            StartEvents events,
            SnapshotSettings settings,
            Clock clock)
            throws IOException {
        SnapshotDirectories directories = new SnapshotDirectories(root);
        this.store = SnapshotStore.open(root.resolve("snapshots.db"));
        this.ancestry = new Ancestry(store);
        this.lazyImages = lazyImages;
        this.claims = new LayerClaims(store, directories, lazyImages, clock);
        this.newSnapshots = new NewSnapshots(store, ancestry, directories, clock);
        this.mounts = new SnapshotMounts(ancestry, directories, lazyImages, settings);
        this.ownMounts = new OwnMounts(directories);
        this.starts = new ContainerStarts(ancestry, tracing, events, settings);
        this.commits = new LayerCommits(store, directories, mounts, walks, clock);
        this.removals = new SnapshotRemovals(store, directories, walks);
        this.infos = new SnapshotInfos(store, directories, walks, settings, clock);
        try {
            StubFiles.unmountLeftovers(directories.all());
            cleanup();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Makes a writable snapshot.
     *
     * @throws SnapshotException ALREADY_EXISTS when the key is taken, or when {@code labels} name a planned chain: then
     *     there is a committed snapshot of it, and the client need not fetch the layer
     */
    List<Mount> prepare(String key, String parent, Map<String, String> labels) throws IOException {
        Optional<ChainId> layer = SnapshotKey.layer(key, labels.getOrDefault(Snapshot.REF_LABEL, ""));
        if (layer.isPresent()) {
            Optional<Snapshot> claimed = claims.claim(layer.get(), key, parent, labels);
            if (claimed.isPresent()) {
                throw new SnapshotException(
                        ALREADY_EXISTS,
                        "layer " + layer.get() + " is planned: snapshot '"
                                + claimed.get().key() + "' stands for it");
            }
            starts.unpackBegun(layer.get());
        }
        Mount mount = create(new NewSnapshots.Request(
                SnapshotKind.ACTIVE, key, parent, layer, Snapshot.withoutAnnotations(key, labels)));
        if (SnapshotKey.isChangeOfOwners(key)) {
            readAllBelow(key);
        }
        return List.of(mount);
    }

    /** Makes a read-only snapshot. */
    List<Mount> view(String key, String parent, Map<String, String> labels) throws IOException {
        Mount mount = create(new NewSnapshots.Request(SnapshotKind.VIEW, key, parent, Optional.empty(), labels));
        if (SnapshotKey.isComparison(key)) {
            readAllBelow(key);
        }
        return List.of(mount);
    }

    private Mount create(NewSnapshots.Request request) throws IOException {
        Snapshot created = newSnapshots.record(request);
        starts.requested(created);
        try {
            Mount mount = mounts.ofNew(created);
            newSnapshots.setRoot(created, mount);
            Optional<Mount> traced = starts.traced(created, mount);
            Mount served = traced.isPresent() ? traced.get() : ownMounts.serve(created, mount);
            starts.mayStart(created);
            return served;
        } catch (IOException | RuntimeException e) {
            starts.refused(created, e);
            undo(created.key(), e);
            throw e;
        }
    }

    /** Removes a snapshot that cannot be mounted: containerd does not know it, and would not remove it. */
    private void undo(String key, Exception reason) {
        try {
            remove(key);
        } catch (IOException | SnapshotException e) {
            reason.addSuppressed(e);
        }
    }

    private void readAllBelow(String key) {
        ancestry.below(store.require(key)).planned().ifPresent(lazyImages::reading);
    }

    /** The mounts of a view or an active snapshot. */
    List<Mount> mounts(String key) throws IOException {
        Snapshot snapshot = store.require(key);
        if (snapshot.kind() == SnapshotKind.COMMITTED) {
            throw new SnapshotException(
                    FAILED_PRECONDITION,
                    "snapshot '" + key + "' is committed; only a view or an active one is mounted");
        }
        Optional<Mount> traced = starts.tracedMount(key);
        return List.of(traced.isPresent() ? traced.get() : ownMounts.serve(snapshot, mounts.of(snapshot)));
    }

    /** The gate died, and another one serves from now on. */
    void gateReplaced() throws IOException {
        ownMounts.gateReplaced(store.all());
    }

    /** Turns an active snapshot into a layer of the name {@code name}. */
    void commit(String name, String key, String parent, Map<String, String> labels) throws IOException {
        Snapshot active = commits.require(name, key, parent);
        starts.end(active);
        ownMounts.end(active);
        commits.commit(active, name, labels);
        starts.unpackEnded(active);
    }

    /** Forgets a snapshot that has no children; its directory is put aside for {@link #cleanup}. */
    void remove(String key) throws IOException {
        // While the snapshot is recorded: mounts that a crash leaves are then found and removed with it.
        Snapshot doomed = store.require(key);
        starts.end(doomed);
        ownMounts.end(doomed);
        claims.release(removals.remove(key));
        if (store.isShortOfSpace()) {
            cleanup();
        }
    }

    /** The planned chains that snapshots stand for. */
    Set<ChainId> claimedChains() {
        return claims.chains();
    }

    /** One snapshot. */
    Snapshot stat(String key) {
        return infos.stat(key);
    }

    /** Changes labels; see {@link LabelChange}. */
    Snapshot update(String key, Map<String, String> labels, List<String> fields) throws IOException {
        return infos.update(key, new LabelChange(labels, fields));
    }

    /** Every snapshot, in no order. */
    Collection<Snapshot> list() {
        return infos.list();
    }

    /** The usage of a snapshot. */
    Usage usage(String key) throws IOException {
        return infos.usage(key);
    }

    /** Deletes the directories of removed snapshots, and of those that a crash kept from being recorded. */
    void cleanup() throws IOException {
        removals.cleanup();
    }

    @Override
    public void close() {
        walks.close();
        store.close();
    }
}
