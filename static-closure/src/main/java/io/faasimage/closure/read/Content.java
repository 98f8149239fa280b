package io.faasimage.closure.read;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The content of one file while it is parsed. It seems to end early where the analysis has read as much as it may;
 * skipped bytes count, as they are decompressed. For one thread.
 */
public final class Content {
    private final long size;
    private final Source source;
    private final long most;
    private long read;

    /** A source of the bytes. */
    @FunctionalInterface
    public interface Source {
        /** The bytes from the beginning; may be called again. */
        InputStream open() throws IOException;
    }

    /** A content of {@code size} bytes, of which all streams together give at most {@code most}. */
    public Content(long size, Source source, long most) {
        this.size = size;
        this.source = source;
        this.most = most;
    }

    /** Its length in bytes. */
    public long size() {
        return size;
    }

    /** Bytes that were read so far. */
    public long read() {
        return read;
    }

    /** The bytes from the beginning; may be called again. */
    public InputStream open() throws IOException {
        return new LimitedStream(source.open());
    }

    /** The first bytes; fewer when it is shorter. */
    public byte[] head(int length) throws IOException {
        try (InputStream in = open()) {
            return in.readNBytes(length);
        }
    }

    /** The bytes of a region; fewer, or none, when it is shorter. */
    public ByteBuffer region(long offset, int length) throws IOException {
        if (offset < 0 || offset >= size) {
            return ByteBuffer.allocate(0);
        }
        try (InputStream in = open()) {
            in.skipNBytes(offset);
            return ByteBuffer.wrap(in.readNBytes(length));
        } catch (EOFException e) {
            return ByteBuffer.allocate(0);
        }
    }

    private final class LimitedStream extends FilterInputStream {
        LimitedStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (read >= most && length > 0) {
                return -1;
            }
            int n = in.read(target, offset, (int) Math.min(length, most - read));
            read += Math.max(n, 0);
            return n;
        }

        @Override
        public long skip(long n) throws IOException {
            long skipped = in.skip(Math.min(n, most - read));
            read += skipped;
            return skipped;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
