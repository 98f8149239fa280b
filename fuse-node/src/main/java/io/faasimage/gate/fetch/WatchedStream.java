package io.faasimage.gate.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that tells when bytes have come. */
final class WatchedStream extends FilterInputStream {
    private final Runnable onBytes;

    WatchedStream(InputStream in, Runnable onBytes) {
        super(in);
        this.onBytes = onBytes;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            onBytes.run();
        }
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        if (count > 0) {
            onBytes.run();
        }
        return count;
    }
}
