package io.faasimage.format.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** At most so many bytes of a stream. Not thread-safe. */
public final class BoundedStream extends FilterInputStream {
    private long left;

    /** The first {@code length} bytes of {@code in}; then it ends, without an exception. */
    public BoundedStream(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left <= 0) {
            return -1;
        }
        int n = in.read(target, offset, (int) Math.min(length, left));
        left -= Math.max(n, 0);
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = in.skip(Math.min(n, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
