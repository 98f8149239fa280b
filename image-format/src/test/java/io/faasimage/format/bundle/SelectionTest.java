package io.faasimage.format.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.plan.IndexRange;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SelectionTest {
    private static final Selection SAMPLE = Selection.ofIndexes(new int[] {0, 1, 5, 300, 301, 302});

    @Test
    void neighboursBecomeRanges() {
        assertThat(SAMPLE.ranges())
                .containsExactly(new IndexRange(0, 2), new IndexRange(5, 6), new IndexRange(300, 303));
        assertThat(SAMPLE.size()).isEqualTo(6);
        assertThat(Selection.ofIndexes(new int[0]).ranges()).isEmpty();
    }

    @Test
    void bytesNeverChange() throws Exception {
        assertThat(SAMPLE.encode()).isEqualTo(HexFormat.of().parseHex("03" + "0002" + "0301" + "a60203"));
        assertThat(Selection.decode(SAMPLE.encode())).isEqualTo(SAMPLE);
    }

    @Test
    void rangesThatTouchOrTurnBackAreRefused() {
        assertThatThrownBy(() -> new Selection(List.of(new IndexRange(0, 2), new IndexRange(2, 3))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Selection.decode(HexFormat.of().parseHex("0200010001")))
                .isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> Selection.decode(HexFormat.of().parseHex("010000")))
                .isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> Selection.decode(HexFormat.of().parseHex("01ffffffff0701")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("length");
    }

    @Test
    void whatIsReadEncodesToTheSameBytes() {
        Random random = new Random(1);
        for (int i = 0; i < 30_000; i++) {
            byte[] sample = SAMPLE.encode();
            sample[random.nextInt(sample.length)] = (byte) random.nextInt();
            byte[] payload = Arrays.copyOf(sample, sample.length - 1 + random.nextInt(3));
            try {
                assertThat(Selection.decode(payload).encode()).isEqualTo(payload);
            } catch (FormatException e) {
                assertThat(e).hasMessageContaining("selection");
            }
        }
    }
}
