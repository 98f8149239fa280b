package io.faasimage.docker.call;

import java.io.IOException;

/** Where a command's output goes. Thread-safe. */
public interface Call {
    /** Sends bytes to the command's standard output. */
    void out(byte[] bytes, int length) throws IOException;

    /** Sends bytes to its standard error. */
    void err(byte[] bytes, int length) throws IOException;

    /** Prints a line to standard output. */
    default void println(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        out(bytes, bytes.length);
    }

    /** Prints a line to standard error. */
    default void complain(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        err(bytes, bytes.length);
    }
}
