package io.faasimage.format.plan;

import java.util.List;

/**
 * The stored form of an object of the prefetch list, and the part of it that starts read.
 *
 * @param frames in which it is stored
 * @param read those frames that starts read, ascending, with a gap between any two; empty for all
 */
public record PrefetchObject(ObjectFrames frames, List<IndexRange> read) {
    /** Copies the list, and checks that the frames are there. */
    public PrefetchObject {
        read = IndexRanges.checked(read);
        if (!read.isEmpty() && read.getLast().to() > frames.count()) {
            throw new IllegalArgumentException(
                    "frames to " + read.getLast().to() + " are read of " + frames.count() + " frames");
        }
    }

    /** An object that starts read as a whole, as far as is known. */
    public static PrefetchObject whole(ObjectFrames frames) {
        return new PrefetchObject(frames, List.of());
    }

    /** The frames that starts read; never empty. */
    public List<IndexRange> wanted() {
        return read.isEmpty() ? List.of(new IndexRange(0, frames.count())) : read;
    }

    /** Whether starts read only some of its frames. */
    public boolean isPartlyRead() {
        return !read.isEmpty();
    }

    /** Bytes of the frames that starts read, as stored. */
    public long wantedBytes() {
        return wanted().stream()
                .mapToLong(range -> frames.end(range.to() - 1) - frames.offset(range.from()))
                .sum();
    }
}
