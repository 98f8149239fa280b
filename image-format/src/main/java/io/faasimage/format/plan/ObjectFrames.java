package io.faasimage.format.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.id.Digest;
import java.util.Arrays;
import java.util.List;

/**
 * The frames in which an object is stored and sent: independent zstd frames with a checksum, one behind the other, of
 * {@value #CONTENT_BYTES} bytes of content each; the last one has the rest. Each has the digest of its stored bytes, so
 * that only authenticated bytes reach a decompressor.
 */
public final class ObjectFrames {
    /** Content of a frame, bytes. */
    public static final int CONTENT_BYTES = 64 << 10;

    /** Most bytes of a frame; zstd adds few to what it cannot compress. */
    public static final int MAX_STORED_BYTES = CONTENT_BYTES + 512;

    private static final int ENCODED_BYTES = 1 + Digest.BYTES;

    private final long size;
    private final long[] ends;
    private final Digest[] digests;

    private ObjectFrames(long size, long[] ends, Digest[] digests) {
        this.size = size;
        this.ends = ends;
        this.digests = digests;
    }

    /** A frame: its length in bytes, and the digest of these. */
    public record Frame(int length, Digest digest) {
        /** Checks the length. */
        public Frame {
            if (length < 1 || length > MAX_STORED_BYTES) {
                throw new IllegalArgumentException("a frame of " + length + " bytes");
            }
        }
    }

    /** The frames of an object of {@code size} bytes, in order. */
    public static ObjectFrames of(long size, List<Frame> frames) {
        if (size <= 0 || frames.size() != count(size)) {
            throw new IllegalArgumentException("an object of " + size + " bytes has " + frames.size() + " frames");
        }
        long[] ends = new long[frames.size()];
        Digest[] digests = new Digest[frames.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += frames.get(i).length();
            ends[i] = end;
            digests[i] = frames.get(i).digest();
        }
        return new ObjectFrames(size, ends, digests);
    }

    /** How many frames an object of {@code size} bytes has. */
    public static int count(long size) {
        return Math.toIntExact((size - 1) / CONTENT_BYTES + 1);
    }

    /** Content of all frames, bytes. */
    public long size() {
        return size;
    }

    /** How many there are. */
    public int count() {
        return ends.length;
    }

    /** Where a frame begins in the stored form, bytes. */
    public long offset(int frame) {
        return frame == 0 ? 0 : ends[frame - 1];
    }

    /** Where a frame ends in the stored form, bytes. */
    public long end(int frame) {
        return ends[frame];
    }

    /** Length of a frame, bytes. */
    public int length(int frame) {
        return (int) (ends[frame] - offset(frame));
    }

    /** Length of all frames, bytes. */
    public long storedSize() {
        return ends[ends.length - 1];
    }

    /** Content of a frame, bytes. */
    public int contentBytes(int frame) {
        return (int) Math.min(CONTENT_BYTES, size - (long) frame * CONTENT_BYTES);
    }

    /** The digest of a frame's stored bytes. */
    public Digest digest(int frame) {
        return digests[frame];
    }

    /** Appends the frames; how many there are follows from the size of the object. */
    public void write(ByteWriter out) {
        for (int i = 0; i < ends.length; i++) {
            out.number(length(i)).digest(digests[i]);
        }
    }

    /** Reads the frames of an object of {@code size} bytes. */
    public static ObjectFrames read(long size, ByteReader in) throws FormatException {
        long count = (size - 1) / CONTENT_BYTES + 1;
        if (size <= 0 || count > in.remaining() / ENCODED_BYTES) {
            throw in.bad("an object of " + size + " bytes has more frames than follow");
        }
        long[] ends = new long[(int) count];
        Digest[] digests = new Digest[ends.length];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            int length = in.number("length of a frame", MAX_STORED_BYTES);
            if (length == 0) {
                throw in.bad("an empty frame");
            }
            end += length;
            ends[i] = end;
            digests[i] = in.digest();
        }
        return new ObjectFrames(size, ends, digests);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ObjectFrames frames
                && size == frames.size
                && Arrays.equals(ends, frames.ends)
                && Arrays.equals(digests, frames.digests);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digests);
    }

    @Override
    public String toString() {
        return count() + " frames, " + storedSize() + " bytes";
    }
}
