package io.faasimage.format.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.faasimage.format.erofs.ChunkRun;
import io.faasimage.format.erofs.ChunkedFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartialLayoutTest {
    private static final int CHUNK = 65_536;
    private static final int BLOCKS = CHUNK / 4096;
    private static final Digest A = Digest.of("a".getBytes(StandardCharsets.UTF_8));
    private static final Digest B = Digest.of("b".getBytes(StandardCharsets.UTF_8));

    private static PartialObject object(Digest digest, long size, IndexRange... chunks) {
        return new PartialObject(digest, size, List.of(chunks));
    }

    @Test
    void neededChunksLieInThePackAndOthersAtTheirPlaceInTheObject() {
        long size = 10L * CHUNK + 5000;
        PartialLayout layout =
                PartialLayout.of(CHUNK, List.of(object(A, size, new IndexRange(0, 2), new IndexRange(5, 6))));
        long pack = size / 4096 + 256;
        assertThat(layout.image().files())
                .containsExactly(new ChunkedFile(
                        A,
                        size,
                        List.of(
                                new ChunkRun(2, 1, pack),
                                new ChunkRun(3, 2, 2 * BLOCKS),
                                new ChunkRun(1, 1, pack + 2 * BLOCKS),
                                new ChunkRun(4, 2, 6 * BLOCKS),
                                new ChunkRun(1, 1, pack + 3 * BLOCKS))));
        assertThat(layout.extents())
                .containsExactly(
                        new PackExtent(A, 0, 2 * CHUNK, pack * 4096),
                        new PackExtent(A, 5 * CHUNK, CHUNK, (pack + 2 * BLOCKS) * 4096),
                        new PackExtent(A, 10 * CHUNK, 5000, (pack + 3 * BLOCKS) * 4096));
        assertThat(layout.packBytes()).isEqualTo((pack + 3 * BLOCKS + 2) * 4096);
        assertThat(layout.image().devices()).containsExactly(pack + 3 * BLOCKS + 2, size / 4096);
    }

    @Test
    void theLastChunkIsInThePackOnce() {
        for (IndexRange last : new IndexRange[] {new IndexRange(2, 3), new IndexRange(1, 2), new IndexRange(0, 3)}) {
            PartialLayout layout = PartialLayout.of(CHUNK, List.of(object(A, 2 * CHUNK + 1, last)));
            PackExtent extent = layout.extents().getLast();
            assertThat(extent.offset() + extent.length()).isEqualTo(2 * CHUNK + 1);
            assertThat(layout.extents()).hasSize(1);
        }
    }

    @Test
    void noAddressOfThePackFollowsOneOfAnObject() {
        PartialLayout layout = PartialLayout.of(
                CHUNK, List.of(object(A, 100L * CHUNK, new IndexRange(3, 4)), object(B, 900L * CHUNK)));
        long end = layout.image().devices().stream().skip(1).max(Long::compare).orElseThrow();
        assertThat(layout.extents()).allMatch(extent -> extent.packOffset() >= (end + 256) * 4096);
        assertThat(layout.image().files().get(1).runs())
                .first()
                .isEqualTo(new ChunkRun(899, PartialLayout.device(1), 0));
    }

    @Test
    void whatIsNoPartOfTheObjectIsRefused() {
        refused(object(A, CHUNK));
        refused(object(A, 2 * CHUNK, new IndexRange(0, 3)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> object(A, 9 * CHUNK, new IndexRange(0, 3), new IndexRange(3, 4)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartialLayout.of(CHUNK, List.of(object(A, 2 * CHUNK), object(A, 2 * CHUNK))));
    }

    private static void refused(PartialObject object) {
        assertThatIllegalArgumentException().isThrownBy(() -> PartialLayout.of(CHUNK, List.of(object)));
    }
}
