package io.faasimage.format.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A large object that can also be fetched in pieces. Starts read the chunks of the first ones only.
 *
 * @param object its index in the plan's objects; in the prefetch list
 * @param chunkBits the binary logarithm of the size of its chunks, 12 to 24
 * @param pieces each chunk of the object is in exactly one of them
 * @param startupCount how many of {@code pieces} have the chunks that starts read; they come first
 */
public record PiecedObject(int object, int chunkBits, List<Piece> pieces, int startupCount) {
    static final int MIN_CHUNK_BITS = 12;
    static final int MAX_CHUNK_BITS = 24;

    /** Copies the list, and checks the numbers by themselves. */
    public PiecedObject {
        pieces = List.copyOf(pieces);
        if (object < 0 || chunkBits < MIN_CHUNK_BITS || chunkBits > MAX_CHUNK_BITS) {
            throw new IllegalArgumentException("object " + object + " cannot have chunks of 2^" + chunkBits + " bytes");
        }
        if (startupCount < 0 || startupCount > pieces.size()) {
            throw new IllegalArgumentException("object " + object + " has " + pieces.size() + " pieces, of which "
                    + startupCount + " are for starts");
        }
    }

    /** Size of a chunk in bytes. */
    public int chunkBytes() {
        return 1 << chunkBits;
    }

    /** The pieces with the chunks that starts read. */
    public List<Piece> startup() {
        return pieces.subList(0, startupCount);
    }

    /** The chunks that starts read, ascending. */
    public List<IndexRange> startupChunks() {
        BitSet chunks = new BitSet();
        startup().forEach(piece -> piece.chunks().forEach(range -> chunks.set(range.from(), range.to())));
        return IndexRanges.of(chunks);
    }

    /** Fails unless the pieces are the whole of an object of {@code size} bytes. */
    void check(long size) {
        long count = ((size - 1) >>> chunkBits) + 1;
        List<IndexRange> ranges = new ArrayList<>();
        pieces.forEach(piece -> ranges.addAll(piece.chunks()));
        ranges.sort((a, b) -> Integer.compare(a.from(), b.from()));
        int next = 0;
        for (IndexRange range : ranges) {
            if (range.from() != next) {
                throw new IllegalArgumentException(
                        "chunk " + Math.min(next, range.from()) + " of object " + object + " is not in one piece");
            }
            next = range.to();
        }
        if (next != count) {
            throw new IllegalArgumentException(
                    "the pieces of object " + object + " have " + next + " of its " + count + " chunks");
        }
    }
}
