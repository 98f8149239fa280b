package io.faasimage.node.snapshot;

/** What a snapshot may be used for. */
enum SnapshotKind {
    /** A read-only root file system. */
    VIEW,
    /** A writable root file system: a container's, or a layer being unpacked. */
    ACTIVE,
    /** A finished layer, the possible parent of others; it has no mounts of its own. */
    COMMITTED;

    /** The word that containerd's filters use. */
    String word() {
        return switch (this) {
            case VIEW -> "view";
            case ACTIVE -> "active";
            case COMMITTED -> "committed";
        };
    }
}
