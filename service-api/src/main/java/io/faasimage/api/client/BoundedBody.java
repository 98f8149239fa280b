package io.faasimage.api.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A reader of a whole body within time limits: it is closed from outside, which ends a waiting read, when no byte
 * arrives for too long, or when the whole body takes too long. Thread-safe.
 */
public final class BoundedBody {
    private static final int CHUNK = 16 * 1024;

    private final Duration stall;
    private final Duration cap;

    /**
     * Reads within these bounds.
     *
     * @param stall without a byte
     * @param cap for the whole
     */
    public BoundedBody(Duration stall, Duration cap) {
        this.stall = stall;
        this.cap = cap;
    }

    /**
     * All of {@code body}, which is closed.
     *
     * @throws IOException also when it has more than {@code most} bytes
     */
    public byte[] whole(InputStream body, int most) throws IOException {
        byte[] bytes = read(body, most + 1);
        if (bytes.length > most) {
            throw new IOException("the answer is longer than the limit of " + most + " bytes");
        }
        return bytes;
    }

    /** The first {@code most} bytes; closes {@code body}. */
    public byte[] read(InputStream body, int most) throws IOException {
        long end = System.nanoTime() + cap.toNanos();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (body) {
            byte[] chunk = new byte[CHUNK];
            while (whole.size() < most) {
                int count = readSome(body, chunk, Math.min(CHUNK, most - whole.size()), end);
                if (count < 0) {
                    break;
                }
                whole.write(chunk, 0, count);
            }
        }
        return whole.toByteArray();
    }

    private int readSome(InputStream body, byte[] chunk, int length, long end) throws IOException {
        long nanos = Math.min(stall.toNanos(), end - System.nanoTime());
        CompletableFuture<Boolean> inTime =
                new CompletableFuture<Boolean>().completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = inTime.thenAccept(yes -> {
            if (!yes) {
                close(body);
            }
        });
        IOException broken;
        try {
            int count = body.read(chunk, 0, length);
            if (inTime.complete(true)) {
                return count;
            }
            broken = new IOException("closed");
        } catch (IOException e) {
            if (inTime.complete(true)) {
                throw e;
            }
            broken = e;
        }
        throw new IOException(
                "the answer was cut off: nothing in " + stall.toMillis() + " ms, or not whole in " + cap.toMillis()
                        + " ms",
                broken);
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // The reader fails in any case.
        }
    }
}
