package io.faasimage.api.control;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A reader of lines of bounded length from a stream, byte by byte buffered by the caller's stream. */
final class JsonLines {
    private static final int MAX_LINE_BYTES = 16 * 1024 * 1024;

    private JsonLines() {}

    /**
     * The next line without its end.
     *
     * @throws EOFException when the stream ends before a line does
     * @throws IOException when the line is longer than 16 MiB
     */
    static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended in the middle of a message");
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("a message is longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(b);
        }
        return line.toByteArray();
    }
}
