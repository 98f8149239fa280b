package io.faasimage.registry.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import org.junit.jupiter.api.Test;

/** Small contents that are kept, up to a number of bytes. */
class SmallContentsTest {
    private static byte[] content(int number) {
        byte[] bytes = new byte[100];
        bytes[0] = (byte) number;
        return bytes;
    }

    @Test
    void theOnesUsedLongestAgoGo() {
        // Three, each with the overhead of an entry.
        SmallContents kept = new SmallContents(3 * (100 + 256));
        for (int i = 0; i < 3; i++) {
            kept.add(Digest.of(content(i)), content(i));
            kept.add(Digest.of(content(i)), content(i));
        }
        assertThat(kept.find(Digest.of(content(0)))).contains(content(0));
        kept.add(Digest.of(content(3)), content(3));
        assertThat(kept.find(Digest.of(content(1)))).isEmpty();
        assertThat(kept.find(Digest.of(content(0)))).isPresent();
        assertThat(kept.find(Digest.of(content(2)))).isPresent();
        assertThat(kept.find(Digest.of(content(3)))).isPresent();
    }

    @Test
    void whatIsLargerThanAllOrHasAnotherDigestIsNotKept() {
        SmallContents kept = new SmallContents(100 + 255);
        kept.add(Digest.of(content(1)), content(1));
        assertThat(kept.find(Digest.of(content(1)))).isEmpty();
        SmallContents others = new SmallContents(1000);
        others.add(Digest.of(content(1)), content(2));
        assertThat(others.find(Digest.of(content(1)))).isEmpty();
    }
}
