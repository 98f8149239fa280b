package io.faasimage.node.containerd.snapshot;

import static io.faasimage.node.containerd.snapshot.SnapshotException.Reason.FAILED_PRECONDITION;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.plans.lazy.PullProof.Proven;
import io.faasimage.node.plans.lazy.PullProof.Purpose;
import io.faasimage.node.plans.lazy.WantedLayer;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Committed snapshots that stand for planned layers, whose files are never unpacked. Thread-safe. */
final class LayerClaims {
    /** By which CRI labels the layers of the image that it pulls. */
    private static final String REFERENCE = "containerd.io/snapshot/cri.image-ref";

    private final SnapshotStore store;
    private final SnapshotDirectories directories;
    private final LazyImages lazyImages;
    private final Clock clock;

    LayerClaims(SnapshotStore store, SnapshotDirectories directories, LazyImages lazyImages, Clock clock) {
        this.store = store;
        this.directories = directories;
        this.lazyImages = lazyImages;
        this.clock = clock;
    }

    /**
     * Claims the layer {@code chain} when it is planned.
     *
     * @param key under which a client is about to unpack it
     * @param parent of the committed snapshot below, or empty
     * @param labels that the client gave
     * @return the snapshot that stands for it; empty when the layer must be fetched
     */
    Optional<Snapshot> claim(ChainId chain, String key, String parent, Map<String, String> labels) throws IOException {
        Scope scope = Scope.ofKey(key);
        String shown = scope.shown(key);
        Optional<Proven> proven = Optional.ofNullable(labels.get(PullProof.LABEL))
                .flatMap(proof -> PullProof.proven(proof, SnapshotKey.ofClient(shown)));
        WantedLayer layer = new WantedLayer(
                chain,
                proven.map(Proven::manifest),
                proven.map(Proven::purpose).orElse(Purpose.START),
                scope.number(),
                SnapshotKey.namespace(shown),
                Optional.ofNullable(labels.get(REFERENCE)));
        return lazyImages.claim(layer) ? Optional.of(recorded(chain, key, parent, labels)) : Optional.empty();
    }

    /** Releases the layer that {@code removed} stood for, unless another snapshot stands for it, too. */
    void release(Snapshot removed) {
        if (removed.remote()) {
            removed.chain().ifPresent(chain -> lazyImages.release(chain, () -> hasNone(chain)));
        }
    }

    /** The planned chains that snapshots stand for. */
    Set<ChainId> chains() {
        return store.all().stream()
                .filter(Snapshot::remote)
                .flatMap(snapshot -> snapshot.chain().stream())
                .collect(Collectors.toSet());
    }

    private boolean hasNone(ChainId chain) {
        return store.all().stream().noneMatch(s -> s.remote() && s.chain().equals(Optional.of(chain)));
    }

    /** The snapshot that stands for a planned layer on {@code parent}; made when there is none. */
    private Snapshot recorded(ChainId chain, String key, String parent, Map<String, String> labels) throws IOException {
        return store.change(change -> {
            Optional<Snapshot> existing = find(change.all(), chain, key, parent);
            if (existing.isPresent()) {
                return existing.get();
            }
            Optional<Snapshot> below = change.requireCommitted(parent);
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

    private static Optional<Snapshot> find(Collection<Snapshot> among, ChainId chain, String key, String parent) {
        Scope scope = Scope.ofKey(key);
        return among.stream()
                .filter(s -> s.remote()
                        && s.parent().equals(parent)
                        && s.chain().equals(Optional.of(chain))
                        && scope.holds(s))
                .findAny();
    }
}
