package io.faasimage.node.containerd.snapshot;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;

/** The one place where failures become gRPC statuses, which containerd turns back into its own kinds of error. */
final class GrpcErrors {
    private static final System.Logger LOG = System.getLogger(GrpcErrors.class.getName());

    private GrpcErrors() {}

    static StatusRuntimeException of(String call, Exception failure) {
        return status(call, failure).withCause(failure).asRuntimeException();
    }

    private static Status status(String call, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof SnapshotException refusal) {
            return code(refusal.reason()).withDescription(message);
        }
        LOG.log(Level.ERROR, call + " failed", failure);
        if (failure instanceof FileSystemException file && "No space left on device".equals(file.getReason())) {
            return Status.RESOURCE_EXHAUSTED.withDescription(call + ": no space left on the disk of " + file.getFile()
                    + "; free some or move the state directory");
        }
        String kind = failure instanceof IOException ? "" : failure.getClass().getSimpleName() + ": ";
        return Status.INTERNAL.withDescription(call + " failed: " + kind + message + "; see node-manager's log");
    }

    private static Status code(SnapshotException.Reason reason) {
        return switch (reason) {
            case NOT_FOUND -> Status.NOT_FOUND;
            case ALREADY_EXISTS -> Status.ALREADY_EXISTS;
            case FAILED_PRECONDITION -> Status.FAILED_PRECONDITION;
            case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
            case UNAVAILABLE -> Status.UNAVAILABLE;
        };
    }
}
