package io.faasimage.node.containerd.snapshot;

import java.util.Arrays;
import java.util.Optional;

/** The use of a snapshot. */
enum SnapshotKind {
    /** A read-only root file system. */
    VIEW(1, "view"),
    /** A writable root file system: a container's, or a layer being unpacked. */
    ACTIVE(2, "active"),
    /** A finished layer, the possible parent of others; it has no mounts of its own. */
    COMMITTED(3, "committed");

    private final int code;
    private final String word;

    SnapshotKind(int code, String word) {
        this.code = code;
        this.word = word;
    }

    /** The number it is stored by. */
    int code() {
        return code;
    }

    /** The word that containerd's filters use. */
    String word() {
        return word;
    }

    /** The kind stored by {@code code}; empty for a number that none has. */
    static Optional<SnapshotKind> ofCode(int code) {
        return Arrays.stream(values()).filter(kind -> kind.code == code).findAny();
    }
}
