package io.faasimage.node.containerd.snapshot;

/** A request that the snapshotter refuses; the reason decides the status that containerd sees. */
final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The refusals that containerd distinguishes. */
    enum Reason {
        NOT_FOUND,
        ALREADY_EXISTS,
        FAILED_PRECONDITION,
        INVALID_ARGUMENT,
        UNAVAILABLE
    }

    private final Reason reason;

    SnapshotException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    SnapshotException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }

    static SnapshotException notFound(String key) {
        return new SnapshotException(Reason.NOT_FOUND, "snapshot '" + key + "' does not exist");
    }

    static SnapshotException alreadyExists(String key) {
        return new SnapshotException(Reason.ALREADY_EXISTS, "snapshot '" + key + "' already exists");
    }

    static SnapshotException invalid(String message) {
        return new SnapshotException(Reason.INVALID_ARGUMENT, message);
    }
}
