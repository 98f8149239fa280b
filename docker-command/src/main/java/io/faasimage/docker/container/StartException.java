package io.faasimage.docker.container;

import java.io.IOException;
import java.util.Locale;

/** A container that was made and could not be started; it is there to be removed. */
public final class StartException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    private static final int REFUSED = 125;

    private final String id;

    StartException(String id, IOException cause) {
        super(cause.getMessage(), cause);
        this.id = id;
    }

    /** The container's ID. */
    public String id() {
        return id;
    }

    /** Docker's exit code: whether the program is not there, cannot be run, or something else was in the way. */
    public int exit() {
        String reason = String.valueOf(getMessage()).toLowerCase(Locale.ROOT);
        if (!reason.contains("exec")) {
            return REFUSED;
        }
        if (reason.contains("executable file not found") || reason.contains("no such file or directory")) {
            return NOT_FOUND;
        }
        return reason.contains("permission denied") || reason.contains("is a directory") ? NOT_EXECUTABLE : REFUSED;
    }
}
