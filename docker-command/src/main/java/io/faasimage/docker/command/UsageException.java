package io.faasimage.docker.command;

/** A command line that is not understood, or not supported here; the message is for the user. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exit;

    /** A message and the exit code that docker has for such a mistake. */
    public UsageException(String message, int exit) {
        super(message);
        this.exit = exit;
    }

    /** The exit code. */
    public int exit() {
        return exit;
    }
}
