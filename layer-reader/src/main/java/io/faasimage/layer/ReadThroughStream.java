package io.faasimage.layer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of which every byte passes {@link #read(byte[], int, int)}, also those that are skipped. Not thread-safe.
 */
public abstract class ReadThroughStream extends FilterInputStream {
    private static final int SKIP_BYTES = 64 << 10;

    /** Over {@code in}. */
    protected ReadThroughStream(InputStream in) {
        super(in);
    }

    @Override
    public abstract int read(byte[] buffer, int offset, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public final long skip(long n) throws IOException {
        byte[] buffer = new byte[Math.clamp(n, 0, SKIP_BYTES)];
        long skipped = 0;
        while (skipped < n) {
            int got = read(buffer, 0, (int) Math.min(buffer.length, n - skipped));
            if (got < 0) {
                break;
            }
            skipped += got;
        }
        return skipped;
    }

    @Override
    public final boolean markSupported() {
        return false;
    }
}
