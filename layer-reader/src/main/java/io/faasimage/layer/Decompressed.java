package io.faasimage.layer;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.faasimage.layer.LayerException.Kind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;

/**
 * A stream uncompressed according to its first bytes: gzip, zstd or none. Not thread-safe.
 *
 * <p>A zstd stream takes memory outside of the heap for its window. Ordinary ones have up to 32 MiB, which all levels
 * but {@code --ultra -21} and {@code -22} fit in; of those with more, up to zstd's own limit, few are open at a time
 * and others wait.
 */
public final class Decompressed extends FilterInputStream {
    private static final int BUFFER = 64 << 10;
    private static final int MAGIC_BYTES = ZstdWindow.HEADER_BYTES;
    private static final int ORDINARY_WINDOW_LOG = 25;
    private static final int MAX_WINDOW_LOG = 27;
    private static final Semaphore LARGE_WINDOWS = new Semaphore(2, true);

    /** The compression of the stored bytes. */
    public enum Compression {
        NONE,
        GZIP,
        ZSTD
    }

    private final Compression compression;
    private final AtomicBoolean largeWindow = new AtomicBoolean();

    private Decompressed(InputStream in, Compression compression) {
        super(in);
        this.compression = compression;
    }

    /**
     * Looks at the first bytes of {@code in}, called {@code name} in messages. Closing the result closes {@code in}.
     */
    public static Decompressed of(InputStream in, String name) throws IOException {
        byte[] start = in.readNBytes(MAGIC_BYTES);
        PushbackInputStream whole = new PushbackInputStream(in, MAGIC_BYTES);
        whole.unread(start);
        int magic = start.length < 4
                ? 0
                : (start[0] & 0xff) << 24 | (start[1] & 0xff) << 16 | (start[2] & 0xff) << 8 | (start[3] & 0xff);
        if (magic >>> 16 == 0x1f8b) {
            return new Decompressed(new GZIPInputStream(whole, BUFFER), Compression.GZIP);
        }
        boolean skippable = (magic & 0xf0ffffff) == 0x502a4d18;
        if (magic == 0x28b52ffd || skippable) {
            return zstd(whole, skippable ? 0 : ZstdWindow.bytes(start), name);
        }
        if (magic == 0xfd377a58 || magic >>> 8 == 0x425a68) {
            throw new LayerException(
                    Kind.UNSUPPORTED, name + " is compressed with xz or bzip2; layers are gzip, zstd or plain tar");
        }
        return new Decompressed(whole, Compression.NONE);
    }

    private static Decompressed zstd(InputStream whole, long window, String name) throws IOException {
        if (window < 0 || window > 1L << MAX_WINDOW_LOG) {
            throw new LayerException(
                    Kind.UNSUPPORTED,
                    name + " is compressed with a zstd window of more than " + (1 << (MAX_WINDOW_LOG - 20))
                            + " MiB; compress it without --long");
        }
        boolean large = window > 1L << ORDINARY_WINDOW_LOG;
        if (large) {
            acquireLargeWindow(name);
        }
        try {
            Decompressed result = new Decompressed(
                    new ZstdInputStreamNoFinalizer(whole).setLongMax(large ? MAX_WINDOW_LOG : ORDINARY_WINDOW_LOG),
                    Compression.ZSTD);
            result.largeWindow.set(large);
            return result;
        } catch (IOException | RuntimeException e) {
            if (large) {
                LARGE_WINDOWS.release();
            }
            throw e;
        }
    }

    private static void acquireLargeWindow(String name) throws InterruptedIOException {
        try {
            LARGE_WINDOWS.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + name + " waited for memory");
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            return in.read(buffer, offset, length);
        } catch (StackOverflowError e) {
            // GZIPInputStream calls itself for each empty member, which nothing but an attack has thousands of.
            throw new LayerException(Kind.INVALID, "thousands of empty gzip members in a row", e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            if (largeWindow.getAndSet(false)) {
                LARGE_WINDOWS.release();
            }
        }
    }

    /** The compression of the stored bytes. */
    public Compression compression() {
        return compression;
    }
}
