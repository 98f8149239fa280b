package io.faasimage.docker.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Cuts a stream into lines and writes them to a log. A line of more than 16 KiB becomes several entries, as Docker does
 * it.
 */
final class LogPump {
    static final int LONGEST_ENTRY = 16 << 10;

    private final String stream;
    private final LogFile log;
    private final byte[] buffer = new byte[LONGEST_ENTRY];
    private int held;

    LogPump(String stream, LogFile log) {
        this.stream = stream;
        this.log = log;
    }

    /** Pumps until the stream ends. */
    void pump(InputStream in) throws IOException {
        for (int n = in.read(buffer, held, buffer.length - held);
                n >= 0;
                n = in.read(buffer, held, buffer.length - held)) {
            held += n;
            writeLines();
            if (held == buffer.length) {
                write(0, held);
                held = 0;
            }
        }
        if (held > 0) {
            write(0, held);
            held = 0;
        }
    }

    private void writeLines() throws IOException {
        int start = 0;
        for (int i = 0; i < held; i++) {
            if (buffer[i] == '\n') {
                write(start, i + 1);
                start = i + 1;
            }
        }
        System.arraycopy(buffer, start, buffer, 0, held - start);
        held -= start;
    }

    private void write(int from, int to) throws IOException {
        log.append(stream, new String(buffer, from, to - from, StandardCharsets.UTF_8));
    }
}
