package io.faasimage.node.pull;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A network stream that counts its bytes and is closed under its reader when one read takes too long. One reader; the
 * watch runs on the scheduler's thread.
 */
public final class GuardedStream extends FilterInputStream {
    private static final long IDLE = Long.MAX_VALUE;

    private final LongConsumer counter;
    private final Duration stall;
    private final ScheduledFuture<?> watch;
    private volatile long readingSince = IDLE;
    private volatile boolean stalled;

    /**
     * Guards {@code in}.
     *
     * @param counter receives the bytes of each read
     * @param stall the longest time for one read
     */
    public GuardedStream(InputStream in, LongConsumer counter, Duration stall, ScheduledExecutorService scheduler) {
        super(in);
        this.counter = counter;
        this.stall = stall;
        long period = Math.max(10, stall.toMillis() / 8);
        this.watch = scheduler.scheduleWithFixedDelay(this::look, period, period, TimeUnit.MILLISECONDS);
    }

    private void look() {
        long since = readingSince;
        if (since != IDLE && System.nanoTime() - since > stall.toNanos()) {
            stalled = true;
            watch.cancel(false);
            try {
                in.close();
            } catch (IOException e) {
                // The reader gets its own failure; nobody else needs a report.
                return;
            }
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int n = read(one, 0, 1);
        return n < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        readingSince = System.nanoTime();
        try {
            int n = in.read(buffer, offset, length);
            if (n > 0) {
                counter.accept(n);
            }
            check();
            return n;
        } catch (IOException e) {
            check();
            throw e;
        } finally {
            readingSince = IDLE;
        }
    }

    private void check() throws InterruptedIOException {
        if (stalled) {
            throw new InterruptedIOException("nothing arrived for " + stall.toMillis() + " ms");
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        watch.cancel(false);
        in.close();
    }
}
