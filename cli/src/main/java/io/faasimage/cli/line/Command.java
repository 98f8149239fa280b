package io.faasimage.cli.line;

import java.io.IOException;
import java.io.PrintWriter;

/** A command: declares its arguments when it is made, and runs once they have their values. */
public interface Command extends ArgumentGroup {
    /**
     * Runs it.
     *
     * @return the exit code
     * @throws IOException when it fails; the message is for the user
     * @throws IllegalArgumentException when an argument is wrong; the message is for the user
     */
    int run(PrintWriter out, PrintWriter err) throws IOException;
}
