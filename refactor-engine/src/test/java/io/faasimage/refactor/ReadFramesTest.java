package io.faasimage.refactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadFramesTest {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;
    private static final long SIZE = 20L * FRAME + 5;

    private static TraceEntry entry(String path, int rangeRuns, ByteRange... ranges) {
        return new TraceEntry(FilePath.ofText(path), 3, 0, 0, rangeRuns, List.of(ranges));
    }

    private static List<IndexRange> of(ByteRange... ranges) {
        return ReadFrames.of(List.of(entry("a", 1, ranges)), SIZE);
    }

    @Test
    void aFrameIsReadIfAByteOfItIs() {
        assertThat(of(new ByteRange(0, 1), new ByteRange(3L * FRAME - 1, 2), new ByteRange(20L * FRAME, 5)))
                .containsExactly(new IndexRange(0, 1), new IndexRange(2, 4), new IndexRange(20, 21));
        assertThat(of(new ByteRange(5L * FRAME, FRAME))).containsExactly(new IndexRange(5, 6));
    }

    @Test
    void whatLiesBehindTheEndIsIgnored() {
        assertThat(of(new ByteRange(20L * FRAME + 4, 1L << 40))).containsExactly(new IndexRange(20, 21));
        assertThat(of(new ByteRange(0, 1), new ByteRange(SIZE, 1))).containsExactly(new IndexRange(0, 1));
    }

    @Test
    void filesWithTheSameContentAreReadTogether() {
        List<TraceEntry> both = List.of(entry("a", 1, new ByteRange(0, 1)), entry("b", 1, new ByteRange(FRAME, 1)));
        assertThat(ReadFrames.of(both, SIZE)).containsExactly(new IndexRange(0, 2));
    }

    @Test
    void anObjectThatIsReadNearlyWholeOrOfWhichTooLittleIsKnownIsRead() {
        assertThat(of(new ByteRange(0, 19L * FRAME))).isEmpty();
        assertThat(ReadFrames.of(List.of(entry("a", 0)), SIZE)).isEmpty();
        assertThat(ReadFrames.of(List.of(entry("a", 1, new ByteRange(0, 1)), entry("b", 0)), SIZE))
                .isEmpty();
        assertThat(ReadFrames.of(List.of(), SIZE)).isEmpty();
        assertThat(ReadFrames.of(List.of(entry("a", 1, new ByteRange(0, 1))), FRAME))
                .isEmpty();
    }
}
