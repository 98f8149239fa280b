package io.faasimage.format.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IndexRangesTest {
    private static final List<IndexRange> RANGES =
            List.of(new IndexRange(0, 1), new IndexRange(3, 4), new IndexRange(5, 9), new IndexRange(20, 21));

    @Test
    void theSmallestGapsAreClosedFirst() {
        assertThat(IndexRanges.atMost(4, RANGES)).isEqualTo(RANGES);
        assertThat(IndexRanges.atMost(3, RANGES))
                .containsExactly(new IndexRange(0, 1), new IndexRange(3, 9), new IndexRange(20, 21));
        assertThat(IndexRanges.atMost(2, RANGES)).containsExactly(new IndexRange(0, 9), new IndexRange(20, 21));
        assertThat(IndexRanges.atMost(1, RANGES)).containsExactly(new IndexRange(0, 21));
    }
}
