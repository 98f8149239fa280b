package io.faasimage.node.pull;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts bytes for a segment and for its pull.
 *
 * @param segment the segment's count
 * @param pull the count of the whole pull
 */
record WireCount(AtomicLong segment, AtomicLong pull) {
    void add(long bytes) {
        segment.addAndGet(bytes);
        pull.addAndGet(bytes);
    }
}
