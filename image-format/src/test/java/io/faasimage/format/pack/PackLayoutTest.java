package io.faasimage.format.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.erofs.PackImage;
import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Frames;
import io.faasimage.format.plan.IndexRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackLayoutTest extends AbstractCodecTest<List<PackedObject>> {
    private static final List<PackedObject> OBJECTS =
            List.of(object("a", 1), object("b", 65_537), object("c", 200_000), object("d", 4096));

    PackLayoutTest() {
        super(
                objects -> new PackLayout(objects).encode(),
                bytes -> PackLayout.decode(bytes).objects(),
                List.of(OBJECTS, List.of(object("e", 1))));
    }

    private static PackedObject object(String name, long size) {
        return new PackedObject(Digest.of(name.getBytes(StandardCharsets.UTF_8)), size, Frames.of(size));
    }

    @Test
    void everyFrameHasBlocksOfItsOwn() {
        PackLayout layout = new PackLayout(OBJECTS);
        assertThat(layout.frames()).isEqualTo(1 + 2 + 4 + 1);
        assertThat(layout.bytes()).isEqualTo(8 * 4096);
        for (int frame = 0; frame < layout.frames(); frame++) {
            assertThat(layout.offset(frame)).isEqualTo(frame * 4096L);
            int object = layout.objectOf(frame);
            assertThat(layout.framesOf(object).from()).isLessThanOrEqualTo(frame);
            assertThat(layout.framesOf(object).to()).isGreaterThan(frame);
            assertThat(layout.length(frame)).isEqualTo(100 + frame - layout.firstFrame(object));
        }
        assertThat(layout.framesBetween(0, 1)).isEqualTo(new IndexRange(0, 1));
        assertThat(layout.framesBetween(4096, 8192)).isEqualTo(new IndexRange(1, 2));
        assertThat(layout.framesBetween(5000, 8193)).isEqualTo(new IndexRange(1, 3));
        assertThat(layout.framesBetween(28_672, Long.MAX_VALUE)).isEqualTo(new IndexRange(7, 8));
        assertThat(layout.framesBetween(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isEqualTo(new IndexRange(7, 8));
    }

    @Test
    void objectsAreThereOnce() {
        assertThatThrownBy(() -> new PackLayout(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PackLayout(List.of(object("a", 1), object("a", 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytesNeverChange() throws IOException {
        PackLayout layout = new PackLayout(OBJECTS);
        assertThat(Digest.of(layout.encode()))
                .hasToString("sha256:6f4b53b711df091a8ac6dec27c2941e094f1f6b923e0933bca5a0aef99e1c946");
        assertThat(Digest.of(PackImage.of(layout)))
                .hasToString("sha256:4268eee0ae306abd2cdaec0f5f9df9567a1f93c3946019c909f5183f923523e5");
    }
}
