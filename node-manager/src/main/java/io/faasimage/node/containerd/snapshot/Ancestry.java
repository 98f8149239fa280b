package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The snapshots below a snapshot, by the records. Thread-safe. */
final class Ancestry {
    private final SnapshotStore store;

    Ancestry(SnapshotStore store) {
        this.store = store;
    }

    /**
     * The layers below a snapshot.
     *
     * @param ordinary ids of the unpacked layers, top first, down to the bottom or the first planned one
     * @param planned the planned chain below those
     * @param owned whether the files belong to the users of a user namespace already
     */
    record Below(List<Long> ordinary, Optional<ChainId> planned, boolean owned) {
        Below {
            ordinary = List.copyOf(ordinary);
        }
    }

    /**
     * The chains below a snapshot.
     *
     * @param all those that are known, top first
     * @param planned the topmost that is planned
     */
    record Chains(List<ChainId> all, Optional<ChainId> planned) {
        Chains {
            all = List.copyOf(all);
        }
    }

    Below below(Snapshot snapshot) {
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

    Chains chains(Snapshot snapshot) {
        List<ChainId> all = new ArrayList<>();
        Optional<ChainId> planned = Optional.empty();
        for (Optional<Snapshot> layer = parent(snapshot); layer.isPresent(); layer = parent(layer.get())) {
            layer.get().chain().ifPresent(all::add);
            if (planned.isEmpty() && layer.get().remote()) {
                planned = layer.get().chain();
            }
        }
        return new Chains(all, planned);
    }

    /** The image of a container: right below it, or below the layer that Docker puts between them. */
    Optional<ChainId> image(Snapshot container) {
        Optional<Snapshot> layer = parent(container);
        return (layer.filter(below -> SnapshotKey.isInitLayer(below.key())).isPresent()
                        ? layer.flatMap(this::parent)
                        : layer)
                .flatMap(Snapshot::chain);
    }

    /** Whether a snapshot lies right on a planned layer. */
    boolean isOnPlan(Snapshot snapshot) {
        return parent(snapshot).filter(Snapshot::remote).isPresent();
    }

    private Optional<Snapshot> parent(Snapshot snapshot) {
        return store.find(snapshot.parent());
    }
}
