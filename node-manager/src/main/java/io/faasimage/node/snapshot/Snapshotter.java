package io.faasimage.node.snapshot;

import static io.faasimage.node.snapshot.SnapshotException.Reason.ALREADY_EXISTS;
import static io.faasimage.node.snapshot.SnapshotException.Reason.FAILED_PRECONDITION;
import static io.faasimage.node.snapshot.SnapshotException.Reason.INVALID_ARGUMENT;
import static io.faasimage.node.snapshot.SnapshotException.Reason.NOT_FOUND;
import static io.faasimage.node.snapshot.SnapshotException.Reason.UNAVAILABLE;

import io.faasimage.format.id.ChainId;
import io.faasimage.linux.IdMap;
import io.faasimage.node.lazy.LazyImages;
import io.faasimage.node.lazy.PullProof;
import io.faasimage.node.lazy.WantedLayer;
import io.faasimage.node.rootfs.MountLocks;
import io.faasimage.node.snapshot.SnapshotMounts.Below;
import io.faasimage.node.snapshot.SnapshotStore.Transaction;
import io.faasimage.node.start.StartEvent;
import io.faasimage.node.start.StartEvents;
import io.faasimage.node.trace.StartTracing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * The snapshots and what may be done with them. Thread-safe.
 *
 * <p>Implementation notes: directories are made and put aside only within {@link SnapshotStore#change}, so that they
 * and the records move together. Everything slow (waiting for a plan, adding up sizes, deleting trees) happens outside
 * of it. Trees are walked by threads of their own: callers are virtual ones, and a walk would occupy what carries them
 * all.
 */
final class Snapshotter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Snapshotter.class.getName());

    private static final String UPPERDIR_LABEL = "containerd.io/snapshot/overlay.upperdir";
    private static final int WALKS_AT_ONCE = 2;

    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final SnapshotMounts mounts;
    private final OwnMounts ownMounts;
    private final LazyImages lazyImages;
    private final StartTracing tracing;
    private final StartEvents starts;
    private final SnapshotSettings settings;
    private final Clock clock;
    private final MountLocks<Long> filling = new MountLocks<>();
    private final ExecutorService walks = Executors.newFixedThreadPool(
            WALKS_AT_ONCE, Thread.ofPlatform().daemon().name("walk-", 0).factory());

    /**
     * Reads the state under {@code root} and removes what a crash left behind.
     *
     * @throws IOException when the state cannot be read, or another process uses it
     */
    Snapshotter(Path root, LazyImages lazyImages, StartTracing tracing, Clock clock) throws IOException {
        this(root, lazyImages, tracing, StartEvents.NONE, SnapshotSettings.usual(), clock);
    }

    /** As above; {@code starts} receives what happens in the starts of containers. */
    Snapshotter(
            Path root,
            LazyImages lazyImages,
            StartTracing tracing,
            StartEvents starts,
            SnapshotSettings settings,
            Clock clock)
            throws IOException {
        this.starts = starts;
        this.settings = settings;
        this.directories = new SnapshotDirectories(root);
        this.store = SnapshotStore.open(root.resolve("snapshots.db"));
        this.mounts = new SnapshotMounts(directories, lazyImages, settings);
        this.ownMounts = new OwnMounts(directories);
        this.lazyImages = lazyImages;
        this.tracing = tracing;
        this.clock = clock;
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
        Optional<ChainId> target = SnapshotKey.layer(key, labels.getOrDefault(Snapshot.REF_LABEL, ""));
        if (target.isPresent() && lazyImages.isPlanned(wanted(target.get(), key, labels))) {
            Snapshot claimed = claim(target.get(), key, parent, labels);
            lazyImages.claimed(target.get());
            throw new SnapshotException(
                    ALREADY_EXISTS,
                    "layer " + target.get() + " is planned: snapshot '" + claimed.key() + "' stands for it");
        }
        target.ifPresent(chain -> starts.accept(new StartEvent.UnpackBegun(chain)));
        List<Mount> mounts = create(SnapshotKind.ACTIVE, key, parent, target, Snapshot.withoutAnnotations(key, labels));
        if (SnapshotKey.isChangeOfOwners(key)) {
            readAllBelow(key);
        }
        return mounts;
    }

    /** Makes a read-only snapshot. */
    List<Mount> view(String key, String parent, Map<String, String> labels) throws IOException {
        List<Mount> mounts = create(SnapshotKind.VIEW, key, parent, Optional.empty(), labels);
        if (SnapshotKey.isComparison(key)) {
            readAllBelow(key);
        }
        return mounts;
    }

    private void readAllBelow(String key) {
        below(store.require(key)).planned().ifPresent(lazyImages::readingAll);
    }

    /** The mounts of a view or an active snapshot. */
    List<Mount> mounts(String key) throws IOException {
        Snapshot snapshot = store.require(key);
        if (snapshot.kind() == SnapshotKind.COMMITTED) {
            throw new SnapshotException(
                    FAILED_PRECONDITION,
                    "snapshot '" + key + "' is committed; only a view or an active one is mounted");
        }
        Optional<Path> traced = tracing.mounted(key);
        if (traced.isPresent()) {
            return List.of(Mount.bind(traced.get(), true));
        }
        return List.of(ownMounts.serve(snapshot, mount(snapshot)));
    }

    /** The gate died, and another one serves from now on. */
    void gateReplaced() throws IOException {
        ownMounts.gateReplaced(store.all());
    }

    /** Turns an active snapshot into a layer of the name {@code name}. */
    void commit(String name, String key, String parent, Map<String, String> labels) throws IOException {
        Snapshot active = requireActive(store.require(key));
        if (!parent.isEmpty() && !parent.equals(active.parent())) {
            throw new SnapshotException(
                    INVALID_ARGUMENT,
                    "snapshot '" + key + "' cannot be moved to the parent '" + parent + "' on commit");
        }
        if (store.find(name).isPresent()) {
            throw SnapshotException.alreadyExists(name);
        }
        tracing.removed(key);
        ownMounts.end(active.id());
        fillStubs(active);
        Usage usage = walk(() -> DiskUsage.of(directories.upper(active.id())));
        store.change(change -> {
            Snapshot now = requireActive(change.require(key));
            if (change.find(name).isPresent()) {
                throw SnapshotException.alreadyExists(name);
            }
            change.remove(key);
            change.put(committed(now, name, labels, usage));
            return now;
        });
        active.chain().ifPresent(chain -> starts.accept(new StartEvent.UnpackEnded(chain)));
    }

    /** Forgets a snapshot that has no children; its directory is put aside for {@link #cleanup}. */
    void remove(String key) throws IOException {
        // While the snapshot is recorded: what a crash leaves mounted is then found and removed with it.
        Snapshot doomed = store.require(key);
        if (doomed.kind() == SnapshotKind.ACTIVE) {
            tracing.removed(key);
        }
        if (doomed.kind() != SnapshotKind.COMMITTED) {
            ownMounts.end(doomed.id());
        }
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
        if (removed.remote()) {
            removed.chain().ifPresent(chain -> lazyImages.released(chain, () -> hasNoRemote(chain)));
        }
        if (store.isShortOfSpace()) {
            cleanup();
        }
    }

    private boolean hasNoRemote(ChainId chain) {
        return store.all().stream().noneMatch(s -> s.remote() && s.chain().equals(Optional.of(chain)));
    }

    /** The planned chains that snapshots stand for. */
    Set<ChainId> claimedChains() {
        return store.all().stream()
                .filter(Snapshot::remote)
                .flatMap(snapshot -> snapshot.chain().stream())
                .collect(Collectors.toSet());
    }

    Snapshot stat(String key) {
        return described(store.require(key));
    }

    /** With the labels that tell clients where it lies. */
    private Snapshot described(Snapshot snapshot) {
        return settings.upperdirLabel()
                ? snapshot.withLabel(
                        UPPERDIR_LABEL, directories.upper(snapshot.id()).toString())
                : snapshot;
    }

    /**
     * Changes labels.
     *
     * @param fields {@code labels}, {@code labels.<name>} or nothing for all; a label without a value is removed
     */
    Snapshot update(String key, Map<String, String> labels, List<String> fields) throws IOException {
        return store.change(change -> {
            Snapshot snapshot = change.require(key);
            Map<String, String> changed = new HashMap<>(fields.isEmpty() ? labels : snapshot.labels());
            for (String field : fields) {
                applyField(key, field, labels, changed);
            }
            changed.values().removeIf(String::isEmpty);
            Snapshot updated = snapshot.withLabels(changed, clock.instant());
            change.put(updated);
            return updated;
        });
    }

    /** Every snapshot, in no order. */
    Collection<Snapshot> list() {
        return store.all().stream().map(this::described).toList();
    }

    /** What a snapshot takes: counted now when it is active, else as counted on commit. */
    Usage usage(String key) throws IOException {
        Snapshot snapshot = store.require(key);
        return snapshot.kind() == SnapshotKind.ACTIVE
                ? walk(() -> DiskUsage.of(directories.upper(snapshot.id())))
                : snapshot.usage();
    }

    /** Deletes the directories of removed snapshots, and of those that a crash kept from being recorded. */
    void cleanup() throws IOException {
        List<Path> discarded = store.change(change -> store.isComplete()
                ? directories.discardAllBut(
                        change.all().stream().map(Snapshot::id).collect(Collectors.toSet()))
                : directories.discarded());
        walk(() -> {
            SnapshotDirectories.delete(discarded);
            return discarded;
        });
    }

    /** Runs {@code work} on a thread that may block. */
    private <T> T walk(Callable<T> work) throws IOException {
        Future<T> result = walks.submit(work);
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted during a walk over a snapshot's files");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    @Override
    public void close() {
        walks.shutdown();
        store.close();
    }

    private List<Mount> create(
            SnapshotKind kind, String key, String parent, Optional<ChainId> target, Map<String, String> labels)
            throws IOException {
        if (key.isEmpty()) {
            throw new SnapshotException(INVALID_ARGUMENT, "a snapshot needs a key");
        }
        try {
            Snapshot.idMap(labels);
        } catch (IllegalArgumentException e) {
            throw new SnapshotException(INVALID_ARGUMENT, "snapshot '" + key + "': " + e.getMessage(), e);
        }
        Snapshot created = store.change(change -> record(change, kind, key, parent, target, labels));
        StartEvents start = isContainer(created) ? starts : StartEvents.NONE;
        start.accept(requested(created));
        try {
            List<Mount> mounts = prepared(created);
            start.accept(new StartEvent.MayStart(key));
            return mounts;
        } catch (IOException | RuntimeException e) {
            start.accept(new StartEvent.Refused(key, String.valueOf(e.getMessage())));
            undo(key, e);
            throw e;
        }
    }

    private static boolean isContainer(Snapshot snapshot) {
        return snapshot.kind() == SnapshotKind.ACTIVE
                && !snapshot.parent().isEmpty()
                && !isWhole(snapshot)
                && !SnapshotKey.isChangeOfOwners(snapshot.key())
                && !SnapshotKey.isInitLayer(snapshot.key());
    }

    /** The image of a container: right below it, or below the layer that Docker puts between them. */
    private Optional<ChainId> image(Snapshot container) {
        Optional<Snapshot> layer = store.find(container.parent());
        return (layer.filter(below -> SnapshotKey.isInitLayer(below.key())).isPresent()
                        ? layer.flatMap(below -> store.find(below.parent()))
                        : layer)
                .flatMap(Snapshot::chain);
    }

    private StartEvent.Requested requested(Snapshot created) {
        List<ChainId> layers = new ArrayList<>();
        Optional<ChainId> planned = Optional.empty();
        for (Optional<Snapshot> layer = store.find(created.parent());
                layer.isPresent();
                layer = store.find(layer.get().parent())) {
            layer.get().chain().ifPresent(layers::add);
            if (planned.isEmpty() && layer.get().remote()) {
                planned = layer.get().chain();
            }
        }
        return new StartEvent.Requested(created.key(), layers, planned);
    }

    private List<Mount> prepared(Snapshot created) throws IOException {
        Mount mount = mount(created);
        if (store.find(created.parent()).filter(Snapshot::remote).isPresent()) {
            takeRootAttributes(created, mount);
        }
        if (created.kind() == SnapshotKind.ACTIVE && created.idMap().isPresent()) {
            IdMap map = created.idMap().get();
            directories.giveRoot(created.id(), map.rootUser(), map.rootGroup());
        }
        Optional<Mount> traced = traced(created, mount);
        return List.of(traced.isPresent() ? traced.get() : ownMounts.serve(created, mount));
    }

    /** Takes back a snapshot that cannot be mounted: containerd does not remember it, and would not remove it. */
    private void undo(String key, Exception reason) {
        try {
            remove(key);
        } catch (IOException | SnapshotException e) {
            reason.addSuppressed(e);
        }
    }

    private Snapshot record(
            Transaction change,
            SnapshotKind kind,
            String key,
            String parent,
            Optional<ChainId> target,
            Map<String, String> labels)
            throws IOException {
        Optional<Snapshot> below = requireCommitted(change, parent);
        if (change.find(key).isPresent()) {
            throw SnapshotException.alreadyExists(key);
        }
        long id = change.nextId();
        directories.create(id, kind == SnapshotKind.ACTIVE);
        if (below.isPresent()) {
            directories.copyRootAttributes(directories.upper(below.get().id()), id);
        }
        var now = clock.instant();
        Snapshot created = new Snapshot(id, key, parent, kind, false, target, labels, now, now, Usage.NONE);
        change.put(created);
        return created;
    }

    private static Optional<Snapshot> requireCommitted(Transaction change, String parent) {
        if (parent.isEmpty()) {
            return Optional.empty();
        }
        Snapshot below = change.find(parent)
                .orElseThrow(() -> new SnapshotException(NOT_FOUND, "parent snapshot '" + parent + "' does not exist"));
        if (below.kind() != SnapshotKind.COMMITTED) {
            throw new SnapshotException(INVALID_ARGUMENT, "parent snapshot '" + parent + "' is not committed");
        }
        return Optional.of(below);
    }

    private static WantedLayer wanted(ChainId chain, String key, Map<String, String> labels) {
        String shown = Scope.ofKey(key).shown(key);
        return new WantedLayer(
                chain,
                Optional.ofNullable(labels.get(PullProof.LABEL))
                        .flatMap(proof -> PullProof.manifest(proof, SnapshotKey.ofClient(shown))),
                Scope.ofKey(key).number(),
                SnapshotKey.namespace(shown));
    }

    /** The committed snapshot that stands for a planned layer on {@code parent}; made when there is none. */
    private Snapshot claim(ChainId chain, String key, String parent, Map<String, String> labels) throws IOException {
        return store.change(change -> {
            Optional<Snapshot> existing = findRemote(change.all(), chain, key, parent);
            if (existing.isPresent()) {
                return existing.get();
            }
            Optional<Snapshot> below = requireCommitted(change, parent);
            String name =
                    Scope.ofKey(key).stored(chain + below.map(p -> "@" + p.id()).orElse(""));
            if (change.find(name).isPresent()) {
                throw new SnapshotException(
                        FAILED_PRECONDITION, "the name '" + name + "' is taken by another snapshot");
            }
            long id = change.nextId();
            directories.create(id, false);
            var now = clock.instant();
            Snapshot claimed = new Snapshot(
                    id, name, parent, SnapshotKind.COMMITTED, true, Optional.of(chain), labels, now, now, Usage.NONE);
            change.put(claimed);
            return claimed;
        });
    }

    private static Optional<Snapshot> findRemote(Collection<Snapshot> among, ChainId chain, String key, String parent) {
        Scope scope = Scope.ofKey(key);
        return among.stream()
                .filter(s -> s.remote()
                        && s.parent().equals(parent)
                        && s.chain().equals(Optional.of(chain))
                        && scope.holds(s))
                .findAny();
    }

    /** The root directory of a root file system is the upper layer's: it takes the attributes of the plan's. */
    private void takeRootAttributes(Snapshot created, Mount mount) throws IOException {
        Optional<Path> root = SnapshotMounts.topmostLower(mount);
        if (root.isPresent()) {
            directories.copyRootAttributes(root.get(), created.id());
        }
    }

    private void fillStubs(Snapshot active) throws IOException {
        if (!SnapshotMounts.mayHoldStubs(active, below(active), isWhole(active))) {
            return;
        }
        try (var _ = filling.take(active.id())) {
            Path upper = directories.upper(active.id());
            if (StubFiles.isMounted(upper)) {
                throw new SnapshotException(
                        FAILED_PRECONDITION,
                        "snapshot '" + active.key() + "' is still mounted; unmount it, then commit");
            }
            Mount overlay = mount(active);
            walk(() -> {
                StubFiles.fill(overlay, upper, directories.mountPoint(active.id()));
                return overlay;
            });
        }
    }

    /** Whether the files of an active snapshot are to become a layer from the start. */
    private static boolean isWhole(Snapshot snapshot) {
        return snapshot.chain().isPresent() || SnapshotKey.isExtraction(snapshot.key());
    }

    private Mount mount(Snapshot snapshot) throws IOException {
        try {
            return mounts.of(snapshot, below(snapshot), isWhole(snapshot));
        } catch (IOException e) {
            throw new SnapshotException(
                    UNAVAILABLE,
                    "could not mount the image below snapshot '" + snapshot.key() + "': " + e.getMessage(),
                    e);
        }
    }

    private Below below(Snapshot snapshot) {
        List<Long> ordinary = new ArrayList<>();
        boolean owned = false;
        String parent = snapshot.parent();
        while (!parent.isEmpty()) {
            Snapshot layer = store.require(parent);
            owned |= layer.labels().containsKey(Snapshot.OWNED_LABEL);
            if (layer.remote()) {
                return new Below(ordinary, layer.chain(), owned);
            }
            ordinary.add(layer.id());
            parent = layer.parent();
        }
        return new Below(ordinary, Optional.empty(), owned);
    }

    /** The bind mount of a start that is traced. */
    private Optional<Mount> traced(Snapshot created, Mount mount) {
        boolean container = isContainer(created);
        Optional<ChainId> image = image(created);
        if (container) {
            image.ifPresent(lazyImages::starting);
        }
        if (!container
                || image.isEmpty()
                || !mount.type().equals("overlay")
                || mount.idMap().isPresent()) {
            return Optional.empty();
        }
        try {
            Mount own = OwnOverlay.isNeeded(mount) ? mount : settings.labelled(mount);
            return tracing.begin(created.key(), image.get(), own.options()).map(d -> Mount.bind(d, true));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the start of '" + created.key() + "' is not traced: " + e.getMessage(), e);
            return Optional.empty();
        }
    }

    private Snapshot committed(Snapshot active, String name, Map<String, String> labels, Usage usage) {
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

    private static void applyField(String key, String field, Map<String, String> labels, Map<String, String> changed) {
        if (field.equals("labels")) {
            changed.clear();
            changed.putAll(labels);
        } else if (field.startsWith("labels.")) {
            String name = field.substring("labels.".length());
            changed.put(name, labels.getOrDefault(name, ""));
        } else {
            throw new SnapshotException(
                    INVALID_ARGUMENT,
                    "cannot update the field '" + field + "' of snapshot '" + key + "'; only labels change");
        }
    }
}
