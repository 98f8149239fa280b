package io.faasimage.store.pack;

import io.faasimage.format.plan.IndexRange;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The frames of a pack that are there, as bits of a mapped file, which outlive this process, but not a crash of the
 * machine. Its last byte is 1 as long as no frame has gone. Thread-safe.
 */
final class PresentFrames {
    private final MappedByteBuffer bits;
    private final int count;
    private final int mark;
    private int present;

    /** Those of {@code count} frames that are noted in {@code path}, which is made when it is not there. */
    PresentFrames(Path path, int count) throws IOException {
        this.count = count;
        this.mark = Math.ceilDiv(count, 8);
        boolean isNew = !Files.exists(path);
        this.bits = MappedFile.of(path, mark + 1);
        for (int i = 0; i < mark; i++) {
            present += Integer.bitCount(bits.get(i) & 0xff);
        }
        if (isNew) {
            bits.put(mark, (byte) 1);
        }
    }

    synchronized boolean has(int frame) {
        return (bits.get(frame >> 3) >> (frame & 7) & 1) != 0;
    }

    synchronized boolean has(IndexRange frames) {
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            if (!has(frame)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether that is new. */
    synchronized boolean set(int frame, boolean there) {
        if (has(frame) == there) {
            return false;
        }
        if (!there) {
            bits.put(mark, (byte) 0);
        }
        bits.put(frame >> 3, (byte) (bits.get(frame >> 3) ^ 1 << (frame & 7)));
        present += there ? 1 : -1;
        return true;
    }

    /** Notes a frame that has come; returns whether all of {@code frames}, of which it is one, are there since then. */
    synchronized boolean completes(int frame, IndexRange frames) {
        return set(frame, true) && has(frames);
    }

    /** Whether no frame has ever gone. */
    synchronized boolean isPristine() {
        return bits.get(mark) == 1;
    }

    synchronized boolean isComplete() {
        return present == count;
    }

    /** How many are there. */
    synchronized int present() {
        return present;
    }

    /** All that are there. */
    synchronized BitSet all() {
        BitSet all = new BitSet(count);
        for (int frame = 0; frame < count; frame++) {
            all.set(frame, has(frame));
        }
        return all;
    }
}
