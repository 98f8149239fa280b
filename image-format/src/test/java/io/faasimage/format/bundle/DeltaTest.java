package io.faasimage.format.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DeltaTest {
    private static final int SIZE = 4_000_000;

    private final byte[] base = random(SIZE);
    private final byte[] document = changed(base);

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        for (int i = 0; i < 10; i++) {
            changed[i * (bytes.length / 10)] ^= 1;
        }
        return changed;
    }

    private Delta delta() {
        return Delta.of(Digest.of(base), base, Digest.of(document), document).orElseThrow();
    }

    @Test
    void aDeltaOfAFewBytesIsShortAndGivesTheDocument() throws Exception {
        assertThat(delta().encodedLength()).isLessThan(2000);
        assertThat(delta().apply(base)).isEqualTo(document);
    }

    @Test
    void deltasGoThroughABundle() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BundleWriter writer = new BundleWriter(out);
        writer.planDelta(delta());
        writer.metadataDelta(delta());
        writer.end();
        assertThat(out.size())
                .isEqualTo(new BundleSize()
                        .frame(delta().encodedLength())
                        .frame(delta().encodedLength())
                        .bytes());
        BundleReader reader = new BundleReader(new ByteArrayInputStream(out.toByteArray()));
        assertThat(reader.next().orElseThrow())
                .isInstanceOfSatisfying(
                        Frame.PlanDeltaFrame.class,
                        frame -> assertThat(frame.delta())
                                .usingRecursiveComparison()
                                .isEqualTo(delta()));
        assertThat(reader.next().orElseThrow()).isInstanceOf(Frame.MetadataDeltaFrame.class);
        assertThat(reader.next().orElseThrow()).isInstanceOf(Frame.EndFrame.class);
    }

    @Test
    void anotherBaseIsDetected() {
        byte[] other = base.clone();
        other[1_000_001] ^= 1;
        assertThatThrownBy(() -> delta().apply(other)).isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> delta().apply(new byte[10])).isInstanceOf(FormatException.class);
    }

    @Test
    void emptyAndHugeDocumentsHaveNone() {
        assertThat(Delta.of(Digest.of(base), base, Digest.of(new byte[0]), new byte[0]))
                .isEmpty();
        byte[] huge = new byte[Delta.MAX_BYTES + 1];
        assertThat(Delta.of(Digest.of(base), base, Digest.of(huge), huge)).isEmpty();
    }
}
