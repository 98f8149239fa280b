package io.faasimage.format.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.erofs.PackImage;
import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Frames;
import io.faasimage.format.plan.IndexRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackLayoutTest extends AbstractCodecTest<List<PackedObject>> {
    private static final List<PackedObject> OBJECTS =
            List.of(object("a", 1), object("b", 65_537), object("c", 200_000), object("d", 4096));

    PackLayoutTest() {
        super(
                objects -> PackLayout.of(objects).encode(),
                bytes -> objects(PackLayout.decode(bytes)),
                List.of(OBJECTS, List.of(object("e", 1))));
    }

    private static List<PackedObject> objects(PackLayout layout) {
        return IntStream.range(0, layout.objects()).mapToObj(layout::packed).toList();
    }

    private static PackedObject object(String name, long size) {
        return new PackedObject(Digest.of(name.getBytes(StandardCharsets.UTF_8)), size, Frames.of(size));
    }

    @Test
    void everyFrameHasBlocksOfItsOwn() {
        PackLayout layout = PackLayout.of(OBJECTS);
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
    void objectsAreFoundByTheirDigests() {
        PackLayout layout = PackLayout.of(OBJECTS);
        List<Integer> shown = new ArrayList<>();
        for (int part = 0; part < 256; part++) {
            int byPart = part;
            layout.forEach(part, object -> {
                assertThat(layout.object(object).bytes()[0] & 0xff).isEqualTo(byPart);
                shown.add(object);
            });
        }
        assertThat(shown).containsExactlyInAnyOrder(0, 1, 2, 3);
        for (int object = 0; object < OBJECTS.size(); object++) {
            assertThat(layout.find(OBJECTS.get(object).digest())).isEqualTo(object);
            assertThat(layout.byDigest(shown.indexOf(object))).isEqualTo(object);
        }
        Digest last = layout.object(layout.byDigest(3));
        assertThat(layout.find(new Digest(last.a(), last.b(), last.c(), last.d() + 1)))
                .isEqualTo(-1);
        assertThat(layout.find(new Digest(0, 0, 0, 0))).isEqualTo(-1);
        assertThat(layout.find(new Digest(-1, -1, -1, -1))).isEqualTo(-1);
    }

    /** Each of these has the right checksum. */
    @Test
    void aTableThatIsNotOfObjectsOneBehindTheOtherIsRefused() {
        int objects = 16;
        int frames = objects + 4 * 44;
        int order = frames + 8 * 40;
        for (int[] change : new int[][] {
            {8, 5},
            {8, 0},
            {12, 9},
            {objects + 32, 0},
            {objects + 32 + 44, 1},
            {objects + 40, 1},
            {frames + 32, 1},
            {frames + 36, 0},
            {frames + 36, 1 << 20},
            {order, 4},
            {order, -1},
            {order, encoded()[order + 4]}
        }) {
            byte[] table = encoded();
            ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN).putInt(change[0], change[1]);
            assertFails(resealed(table), Kind.CORRUPT);
        }
    }

    @Test
    void objectsAreThereOnce() {
        assertThatThrownBy(() -> PackLayout.of(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PackLayout.of(List.of(object("a", 1), object("a", 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytesNeverChange() throws IOException {
        PackLayout layout = PackLayout.of(OBJECTS);
        assertThat(Digest.of(layout.encode()))
                .hasToString("sha256:5519eda8617ad754eec577a219acd4359d990f5e1beb4858e347fc41b846d856");
        assertThat(Digest.of(PackImage.of(layout)))
                .hasToString("sha256:4268eee0ae306abd2cdaec0f5f9df9567a1f93c3946019c909f5183f923523e5");
    }
}
