package io.faasimage.registry.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DigestPrefixesTest {
    private static Digest digest(int i) {
        return Digest.of(ByteBuffer.allocate(4).putInt(i).array());
    }

    @Test
    void holdsWhatWasAddedHoweverOftenAndNothingElse() {
        DigestPrefixes prefixes = new DigestPrefixes();
        assertThat(prefixes.contains(digest(0))).isFalse();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 30_000; i += 2) {
                prefixes.add(digest(i));
            }
        }
        for (int i = 0; i < 30_000; i++) {
            assertThat(prefixes.contains(digest(i))).isEqualTo(i % 2 == 0);
        }
        prefixes.add(digest(1));
        assertThat(prefixes.contains(digest(1))).isTrue();
    }
}
