package io.faasimage.refactor.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Piece;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.fault.RefactorException;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PieceCutterTest {
    private static final int CHUNK = 4096;
    private static final PieceRules RULES = new PieceRules(8192, 12, 2, 80, 3 * CHUNK, 2 * CHUNK + 100);

    private final Map<Digest, byte[]> pieces = new HashMap<>();
    private final PieceCutter cutter =
            new PieceCutter(RULES, (digest, bytes, length, _) -> pieces.put(digest, Arrays.copyOf(bytes, length)));

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    private static PlanObject object(byte[] content) {
        return new PlanObject(Digest.of(content), content.length, Segment.BASE, -1);
    }

    private static BitSet chunks(int... numbers) {
        BitSet chunks = new BitSet();
        Arrays.stream(numbers).forEach(chunks::set);
        return chunks;
    }

    private byte[] assembled(PiecedObject object, int size) {
        byte[] whole = new byte[size];
        for (Piece piece : object.pieces()) {
            byte[] bytes = pieces.get(piece.digest());
            assertThat(bytes).hasSize((int) piece.size(object.chunkBytes(), size));
            int at = 0;
            for (IndexRange range : piece.chunks()) {
                int length = Math.min(size, range.to() * CHUNK) - range.from() * CHUNK;
                System.arraycopy(bytes, at, whole, range.from() * CHUNK, length);
                at += length;
            }
        }
        return whole;
    }

    @Test
    void whatStartsReadIsGatheredAndTheRestToo() throws Exception {
        byte[] content = content(11 * CHUNK + 7);
        PiecedObject cut = cutter.cut(5, object(content), chunks(1, 2, 8, 9), new ByteArrayInputStream(content));
        assertThat(cut.object()).isEqualTo(5);
        assertThat(cut.startup())
                .extracting(Piece::chunks)
                .containsExactly(List.of(new IndexRange(1, 3), new IndexRange(8, 9)), List.of(new IndexRange(9, 10)));
        assertThat(cut.pieces().subList(2, cut.pieces().size()))
                .extracting(Piece::chunks)
                .containsExactly(
                        List.of(new IndexRange(0, 1), new IndexRange(3, 4)),
                        List.of(new IndexRange(4, 6)),
                        List.of(new IndexRange(6, 8)),
                        List.of(new IndexRange(10, 12)));
        assertThat(assembled(cut, content.length)).isEqualTo(content);
        pieces.forEach((digest, bytes) -> assertThat(Digest.of(bytes)).isEqualTo(digest));
    }

    @Test
    void everyObjectIsTheSumOfItsPieces() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            byte[] content = content(CHUNK + 1 + random.nextInt(40 * CHUNK));
            BitSet read = new BitSet();
            random.ints(random.nextInt(30), 0, 42).forEach(read::set);
            PlanObject object = object(content);
            PiecedObject cut = cutter.cut(i, object, read, new ByteArrayInputStream(content));
            assertThat(assembled(cut, content.length)).isEqualTo(content);
            assertThat(cutter.cut(i, object, read, new ByteArrayInputStream(content)))
                    .isEqualTo(cut);
        }
    }

    @Test
    void contentOfAnotherObjectIsRefused() {
        byte[] content = content(3 * CHUNK);
        for (byte[] other : List.of(content(3 * CHUNK + 1), Arrays.copyOf(content, 2 * CHUNK), new byte[3 * CHUNK])) {
            assertThatThrownBy(() -> cutter.cut(0, object(content), chunks(1), new ByteArrayInputStream(other)))
                    .isInstanceOf(RefactorException.class)
                    .hasMessageContaining(Digest.of(content).toString());
        }
    }

    private static TraceEntry entry(int rangeRuns, ByteRange... ranges) {
        return new TraceEntry(FilePath.ofText("a"), 5, 0, 0, rangeRuns, List.of(ranges));
    }

    @Test
    void theChunksOfAllRangesOfAllPaths() {
        TraceEntry one = entry(2, new ByteRange(0, 1), new ByteRange(4095, 2));
        TraceEntry other = entry(3, new ByteRange(9 * CHUNK, 5), new ByteRange(1L << 50, 1L << 50));
        assertThat(ReadChunks.of(List.of(one, other), 9L * CHUNK + 1, RULES)).contains(chunks(0, 1, 9));
        assertThat(ReadChunks.of(List.of(entry(2)), 10L * CHUNK, RULES)).contains(chunks(9));
    }

    @Test
    void whatIsNotWorthItIsNotCut() {
        ByteRange first = new ByteRange(0, 1);
        assertThat(ReadChunks.of(List.of(entry(2, first)), 8191, RULES)).isEmpty();
        assertThat(ReadChunks.of(List.of(entry(2, first), entry(1, first)), 9L * CHUNK, RULES))
                .isEmpty();
        assertThat(ReadChunks.of(List.of(entry(2, new ByteRange(0, 8L * CHUNK))), 10L * CHUNK, RULES))
                .isEmpty();
        assertThat(ReadChunks.of(List.of(entry(2, new ByteRange(0, 7L * CHUNK))), 10L * CHUNK, RULES))
                .isPresent();
    }
}
