package io.faasimage.node.pull;

/** The time of the last byte that arrived for a fetch, in nanoseconds of the monotonic clock. Thread-safe. */
final class Progress {
    private volatile long last;
    private long furthest;

    /** Nothing has come since {@code begin}. */
    Progress(long begin) {
        this.last = begin;
    }

    Progress() {
        this(System.nanoTime());
    }

    /**
     * As {@link #bytesCame} when this is farther than ever: a source that is cut at one place again and again gives
     * nothing.
     */
    synchronized boolean cameTo(long bytes) {
        if (bytes <= furthest) {
            return false;
        }
        furthest = bytes;
        bytesCame();
        return true;
    }

    void bytesCame() {
        last = System.nanoTime();
    }

    long last() {
        return last;
    }
}
