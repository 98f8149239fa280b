package io.faasimage.format.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A map from the bytes of one large object to its pieces. Its byte form (docs/formats/piece-map.md) is how a node's
 * agent describes the object to the gate, and is named by its own digest. Immutable.
 */
public final class PieceMap {
    /** Hexadecimal digits of a {@linkplain #name name}. */
    public static final int NAME_DIGITS = 15;

    private static final Envelope ENVELOPE = new Envelope("piece map", "FIPM", 1, 1);

    private final Digest object;
    private final long size;
    private final PiecedObject pieces;
    /** By the first chunk of each range. */
    private final TreeMap<Integer, Place> places = new TreeMap<>();

    private record Place(IndexRange chunks, Digest piece, long pieceOffset) {}

    /**
     * Bytes of the object that lie in one piece, one behind the other.
     *
     * @param piece the piece
     * @param pieceOffset where they begin in it
     * @param offset where they begin in the object
     * @param length how many there are
     */
    public record Part(Digest piece, long pieceOffset, long offset, long length) {}

    /**
     * The map of {@code object}.
     *
     * @throws IllegalArgumentException when the pieces are not the whole of it
     */
    public static PieceMap of(PlanObject object, PiecedObject pieces) {
        return new PieceMap(object.digest(), object.size(), pieces);
    }

    private PieceMap(Digest object, long size, PiecedObject pieces) {
        if (size <= 0) {
            throw new IllegalArgumentException("object " + object + " has no content");
        }
        pieces.check(size);
        this.object = object;
        this.size = size;
        this.pieces = pieces;
        for (Piece piece : pieces.pieces()) {
            long at = 0;
            for (IndexRange range : piece.chunks()) {
                places.put(range.from(), new Place(range, piece.digest(), at));
                at += (long) range.size() << pieces.chunkBits();
            }
        }
    }

    /** The object. */
    public Digest object() {
        return object;
    }

    /** Its size in bytes. */
    public long size() {
        return size;
    }

    /** Where the {@code length} bytes of the object from {@code offset} on lie; all of them are in the object. */
    public List<Part> parts(long offset, long length) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new IllegalArgumentException(
                    "object " + object + " has " + size + " bytes, not " + length + " from " + offset + " on");
        }
        List<Part> parts = new ArrayList<>();
        long end = offset + length;
        for (long at = offset; at < end; ) {
            int chunk = (int) (at >>> pieces.chunkBits());
            Place place = Objects.requireNonNull(places.floorEntry(chunk)).getValue();
            long begin = (long) place.chunks().from() << pieces.chunkBits();
            long stop = Math.min(end, (long) place.chunks().to() << pieces.chunkBits());
            parts.add(new Part(place.piece(), place.pieceOffset() + at - begin, at, stop - at));
            at = stop;
        }
        return parts;
    }

    /** The byte form. */
    public byte[] encode() {
        ByteWriter out =
                ENVELOPE.begin(64 + pieces.pieces().size() * 64).digest(object).number(size);
        PlanCodec.write(pieces, out);
        return ENVELOPE.seal(out);
    }

    /**
     * The map that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static PieceMap decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        try {
            Digest object = in.digest();
            long size = in.number();
            PiecedObject pieces = PlanCodec.piecedObject(in);
            in.finish();
            return new PieceMap(object, size, pieces);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    /** The name of the map that {@code encoded} is: the first digits of its digest. */
    public static String name(byte[] encoded) {
        return Digest.of(encoded).hex().substring(0, NAME_DIGITS);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PieceMap map
                && map.object.equals(object)
                && map.size == size
                && map.pieces.equals(pieces);
    }

    @Override
    public int hashCode() {
        return object.hashCode();
    }
}
