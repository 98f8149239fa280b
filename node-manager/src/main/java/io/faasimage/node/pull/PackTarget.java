package io.faasimage.node.pull;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.PageCache;
import io.faasimage.store.pack.Pack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an object of a prefetch list goes.
 *
 * @param pack that has a place for it
 * @param object its index there
 * @param wanted which of its frames are wanted
 */
record PackTarget(Pack pack, int object, List<IndexRange> wanted) {
    PackTarget {
        wanted = List.copyOf(wanted);
    }

    private int first() {
        return pack.layout().firstFrame(object);
    }

    /** The number, in the pack, of a frame of the object. */
    int frame(int ofObject) {
        return first() + ofObject;
    }

    /** Whether everything that is wanted is there. */
    boolean isPresent() {
        return wanted.stream()
                .allMatch(range -> pack.has(new IndexRange(first() + range.from(), first() + range.to())));
    }

    /** The wanted frames of the object that are not there. */
    List<IndexRange> missing() {
        List<IndexRange> missing = new ArrayList<>();
        for (IndexRange range : wanted) {
            int from = -1;
            for (int frame = range.from(); frame < range.to(); frame++) {
                if (pack.has(first() + frame)) {
                    if (from >= 0) {
                        missing.add(new IndexRange(from, frame));
                    }
                    from = -1;
                } else if (from < 0) {
                    from = frame;
                }
            }
            if (from >= 0) {
                missing.add(new IndexRange(from, range.to()));
            }
        }
        return missing;
    }

    /** The object's file in the pack's mount. */
    Path file() {
        return pack.file(object);
    }

    /** Reads the wanted frames into the page cache, decompressed. They must be there. */
    void readAhead() throws LinuxException {
        PageCache.readAhead(
                file(),
                wanted.stream()
                        .map(range -> new long[] {
                            (long) range.from() * ObjectFrames.CONTENT_BYTES,
                            (long) (range.to() - range.from()) * ObjectFrames.CONTENT_BYTES
                        })
                        .toList());
    }

    /** In which frames the object is stored. */
    ObjectFrames frames() {
        return pack.layout().packed(object).frames();
    }

    /** Content of the wanted frames, bytes. */
    long bytes() {
        ObjectFrames frames = frames();
        return wanted.stream()
                .mapToLong(range -> {
                    long bytes = 0;
                    for (int frame = range.from(); frame < range.to(); frame++) {
                        bytes += frames.contentBytes(frame);
                    }
                    return bytes;
                })
                .sum();
    }
}
