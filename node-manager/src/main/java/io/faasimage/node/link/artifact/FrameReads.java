package io.faasimage.node.link.artifact;

import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.node.link.artifact.FrameParts.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * A read of a pack, which is one request, and what is wanted of it. A pack of which most is wanted is read as a whole:
 * caches and peers keep whole blobs.
 *
 * @param pack that is read
 * @param from first byte
 * @param to behind the last byte
 * @param parts that are wanted, by offset
 */
record FrameReads(ArtifactPack pack, long from, long to, List<Part> parts) {
    /** Bytes that are read and skipped rather than requested around: a round trip costs more. */
    private static final long GAP = 64 << 10;
    /** The whole pack is read from this share on, percent. */
    private static final long WHOLE_PERCENT = 75;

    FrameReads {
        parts = List.copyOf(parts);
    }

    /** Whether all of the pack is read. */
    boolean isWhole() {
        return from == 0 && to == pack.size();
    }

    /** The reads for some parts of a pack, by offset; none for none. */
    static List<FrameReads> of(ArtifactPack pack, List<Part> parts) {
        long wanted = parts.stream().mapToLong(Part::length).sum();
        if (!parts.isEmpty() && wanted >= pack.size() / 100 * WHOLE_PERCENT) {
            return List.of(new FrameReads(pack, 0, pack.size(), parts));
        }
        List<FrameReads> reads = new ArrayList<>();
        List<Part> near = new ArrayList<>();
        for (Part part : parts) {
            if (!near.isEmpty() && part.offset() - near.getLast().end() > GAP) {
                reads.add(range(pack, near));
                near.clear();
            }
            near.add(part);
        }
        if (!near.isEmpty()) {
            reads.add(range(pack, near));
        }
        return reads;
    }

    private static FrameReads range(ArtifactPack pack, List<Part> parts) {
        return new FrameReads(pack, parts.getFirst().offset(), parts.getLast().end(), parts);
    }
}
