package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.linux.IdMap;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The record of one snapshot.
 *
 * @param id names the snapshot's directory; never used twice
 * @param key the name that containerd knows it by
 * @param parent the key of the committed snapshot below, or empty
 * @param kind its state: view, active or committed
 * @param remote whether the layer's files were never unpacked, because {@code chain} is planned
 * @param chain the chain ID of the layers up to this one, where known
 * @param labels containerd's labels
 * @param created when it was prepared or, once committed, committed
 * @param updated when its labels last changed
 * @param usage zero until committed
 */
record Snapshot(
        long id,
        String key,
        String parent,
        SnapshotKind kind,
        boolean remote,
        Optional<ChainId> chain,
        Map<String, String> labels,
        Instant created,
        Instant updated,
        Usage usage) {

    /** The label by which a client names the chain ID of the layer that it prepares. */
    static final String REF_LABEL = "containerd.io/snapshot.ref";

    /** containerd's unpacker makes labels of those annotations of a layer that begin so. */
    private static final String ANNOTATIONS = "containerd.io/snapshot/";

    /** The label of a layer whose files a client has given to the users of a user namespace. */
    static final String OWNED_LABEL = "faasimage.io/owned-by-namespace";

    private static final String UIDS_LABEL = "containerd.io/snapshot/uidmapping";
    private static final String GIDS_LABEL = "containerd.io/snapshot/gidmapping";

    Snapshot {
        labels = Map.copyOf(labels);
        if (id <= 0 || key.isEmpty()) {
            throw new IllegalArgumentException("a snapshot needs a positive id and a key: " + id + " '" + key + "'");
        }
        if (remote && (kind != SnapshotKind.COMMITTED || chain.isEmpty())) {
            throw new IllegalArgumentException("a remote snapshot is committed and has a chain ID: '" + key + "'");
        }
    }

    /** Whether the files of an active snapshot are to become a layer from the start. */
    boolean isWhole() {
        return chain.isPresent() || SnapshotKey.isExtraction(key);
    }

    /** Whether it is the root file system of a container. */
    boolean isContainer() {
        return kind == SnapshotKind.ACTIVE
                && !parent.isEmpty()
                && !isWhole()
                && !SnapshotKey.isChangeOfOwners(key)
                && !SnapshotKey.isInitLayer(key);
    }

    /**
     * How ids of its users are mapped; empty when they are not.
     *
     * @throws IllegalArgumentException when the labels are no mapping
     */
    Optional<IdMap> idMap() {
        return idMap(labels);
    }

    /** As {@link #idMap()}, of these labels. */
    static Optional<IdMap> idMap(Map<String, String> labels) {
        return Optional.ofNullable(labels.get(UIDS_LABEL))
                .flatMap(uids -> Optional.ofNullable(labels.get(GIDS_LABEL)).map(gids -> new IdMap(uids, gids)));
    }

    /**
     * The labels that a client gives to a snapshot; of a layer that it unpacks, without those that the image may have
     * written.
     */
    static Map<String, String> withoutAnnotations(String key, Map<String, String> labels) {
        if (!SnapshotKey.isExtraction(key)) {
            return labels;
        }
        Map<String, String> own = new HashMap<>(labels);
        own.keySet().removeIf(name -> name.startsWith(ANNOTATIONS));
        return own;
    }

    /** The same snapshot with one more label. */
    Snapshot withLabel(String name, String value) {
        Map<String, String> more = new HashMap<>(labels);
        more.put(name, value);
        return withLabels(more, updated);
    }

    /** The same snapshot under other names. */
    Snapshot withNames(String otherKey, String otherParent) {
        return new Snapshot(id, otherKey, otherParent, kind, remote, chain, labels, created, updated, usage);
    }

    /** The same snapshot with other labels. */
    Snapshot withLabels(Map<String, String> changed, Instant now) {
        return new Snapshot(id, key, parent, kind, remote, chain, changed, created, now, usage);
    }
}
