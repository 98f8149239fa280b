package io.faasimage.format.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PieceMapTest extends AbstractCodecTest<PieceMap> {
    private static final int CHUNK = 4096;
    private static final Digest START = digest("start");
    private static final Digest REST = digest("rest");
    /** Six chunks, of which the last has 5 bytes; 1, 3 and 5 are read at the start. */
    private static final PieceMap MAP = map(
            5 * CHUNK + 5,
            new Piece(START, List.of(new IndexRange(1, 2), new IndexRange(3, 4), new IndexRange(5, 6))),
            new Piece(REST, List.of(new IndexRange(0, 1), new IndexRange(2, 3), new IndexRange(4, 5))));

    private static final PieceMap SMALLEST = map(1, new Piece(START, List.of(new IndexRange(0, 1))));

    PieceMapTest() {
        super(PieceMap::encode, PieceMap::decode, List.of(MAP, SMALLEST));
    }

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static PieceMap map(long size, Piece... pieces) {
        return PieceMap.of(
                new PlanObject(digest("object"), size, Segment.LIB, 0), new PiecedObject(7, 12, List.of(pieces), 1));
    }

    @Test
    void bytesNeverChange() {
        assertThat(PieceMap.name(MAP.encode())).isEqualTo("9d93b4b3ffd4261");
    }

    @Test
    void everyByteLiesInOnePiece() {
        assertThat(MAP.parts(0, 5 * CHUNK + 5))
                .containsExactly(
                        new PieceMap.Part(REST, 0, 0, CHUNK),
                        new PieceMap.Part(START, 0, CHUNK, CHUNK),
                        new PieceMap.Part(REST, CHUNK, 2 * CHUNK, CHUNK),
                        new PieceMap.Part(START, CHUNK, 3 * CHUNK, CHUNK),
                        new PieceMap.Part(REST, 2 * CHUNK, 4 * CHUNK, CHUNK),
                        new PieceMap.Part(START, 2 * CHUNK, 5 * CHUNK, 5));
        assertThat(MAP.parts(CHUNK + 10, CHUNK))
                .containsExactly(
                        new PieceMap.Part(START, 10, CHUNK + 10, CHUNK - 10),
                        new PieceMap.Part(REST, CHUNK, 2 * CHUNK, 10));
        assertThat(MAP.parts(5 * CHUNK + 4, 1))
                .containsExactly(new PieceMap.Part(START, 2 * CHUNK + 4, 5 * CHUNK + 4, 1));
        assertThat(MAP.parts(3, 0)).isEmpty();
    }

    @Test
    void whatIsNotInTheObjectIsRefused() {
        for (long[] range :
                new long[][] {{-1, 1}, {0, -1}, {5 * CHUNK + 5, 1}, {0, 5 * CHUNK + 6}, {1, Long.MAX_VALUE}}) {
            assertThatThrownBy(() -> MAP.parts(range[0], range[1])).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
