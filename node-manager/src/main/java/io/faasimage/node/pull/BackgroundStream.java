package io.faasimage.node.pull;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A stream of background work: it is not read while a start waits for something, so that the sender stops too, and no
 * faster than its rate. For one reader.
 */
final class BackgroundStream extends FilterInputStream {
    private static final int MOST = 64 << 10;

    private final Foreground foreground;
    private final BooleanSupplier awaited;
    private final long bytesPerSecond;
    private long free = System.nanoTime();

    /**
     * Slows {@code in} down.
     *
     * @param awaited whether a caller waits for the object: then it continues at once
     * @param bytesPerSecond the rate; 0 for none
     */
    BackgroundStream(InputStream in, Foreground foreground, BooleanSupplier awaited, long bytesPerSecond) {
        super(in);
        this.foreground = foreground;
        this.awaited = awaited;
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int n = read(one, 0, 1);
        return n < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            foreground.awaitCalm(awaited);
            long wait = free - System.nanoTime();
            if (wait > 0 && !awaited.getAsBoolean()) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while a start had the link").initCause(e);
        }
        int n = in.read(buffer, offset, Math.min(length, MOST));
        if (n > 0 && bytesPerSecond > 0) {
            long now = System.nanoTime();
            free = (free - now > 0 ? free : now) + n * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
        }
        return n;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
