package io.faasimage.node.pull;

import java.util.concurrent.ArrayBlockingQueue;

/**
 * A pool of the arrays in which objects wait for a worker. Arrays of medium size are reused: allocated one by one,
 * those of a single pull would fill the heap of a small agent several times over, and its start would wait for the
 * collector (decision 16). Thread-safe.
 */
final class FrameBuffers {
    /** Smaller ones are cheap to collect, and would waste most of a buffer. */
    private static final int SMALL_BYTES = 16 << 10;

    private final int bytes;
    private final ArrayBlockingQueue<byte[]> idle;

    /**
     * Nothing is allocated yet.
     *
     * @param bytes the largest that is requested
     * @param kept how many are kept for the next
     */
    FrameBuffers(int bytes, int kept) {
        this.bytes = bytes;
        this.idle = new ArrayBlockingQueue<>(kept);
    }

    /** An array with room for {@code length} bytes, of any content. */
    byte[] take(int length) {
        if (length <= SMALL_BYTES) {
            return new byte[length];
        }
        byte[] used = idle.poll();
        return used == null ? new byte[bytes] : used;
    }

    /** The bytes that {@link #take} would charge an account of memory with. */
    int cost(int length) {
        return length <= SMALL_BYTES ? Math.max(length, PullConfig.SMALLEST_IN_FLIGHT) : bytes;
    }

    /** Returns a buffer of {@link #take}, which must not be used any more. */
    void giveBack(byte[] buffer) {
        if (buffer.length == bytes && !idle.offer(buffer)) {
            // Enough are kept: this one is left to the collector.
            return;
        }
    }

    /** Leaves all idle buffers to the collector. */
    void drop() {
        idle.clear();
    }
}
