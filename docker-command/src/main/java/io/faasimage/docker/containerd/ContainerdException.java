package io.faasimage.docker.containerd;

import io.grpc.Status;
import java.io.IOException;

/** A call that containerd refused or did not answer; the message is for the user. */
public final class ContainerdException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Status.Code code;

    ContainerdException(String what, Status status, String socket, Exception cause) {
        super(
                "could not " + what + ": "
                        + (status.getDescription() == null ? status.getCode().toString() : status.getDescription())
                        + (status.getCode() == Status.Code.UNAVAILABLE
                                ? "; is containerd running at " + socket + "?"
                                : ""),
                cause);
        this.code = status.getCode();
    }

    /** What kind of failure it is. */
    public Status.Code code() {
        return code;
    }
}
