package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceException;
import java.io.IOException;
import java.net.ConnectException;

/** The command's exit codes; scripts rely on them. */
public final class ExitCode {
    public static final int DONE = 0;
    /** The request was refused or went wrong, or the doctor found something missing. */
    public static final int FAILED = 1;

    static final int USAGE = 2;
    /** No answer at the service's address or the agent's socket: worth a retry. */
    static final int UNREACHABLE = 3;
    /** A fault of this program. */
    public static final int FAULT = 70;

    private ExitCode() {}

    /** The code for a command that ended with {@code failure}. */
    public static int of(Exception failure) {
        return switch (failure) {
            case ServiceException registry when registry.status() == 0 -> UNREACHABLE;
            case ConnectException nobody -> UNREACHABLE;
            case IOException refused -> FAILED;
            case IllegalArgumentException wrongValue -> USAGE;
            default -> FAULT;
        };
    }
}
