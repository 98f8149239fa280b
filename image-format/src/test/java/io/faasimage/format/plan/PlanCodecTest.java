package io.faasimage.format.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanCodecTest extends AbstractCodecTest<Plan> {
    private static final List<PlanObject> OBJECTS = List.of(
            new PlanObject(digest("libc"), 1_922_136, Segment.BASE, -1),
            new PlanObject(digest("app.py"), 1, Segment.FUNC, -1),
            new PlanObject(digest("index.js"), 127, Segment.LIB, 0),
            new PlanObject(digest("flask"), Long.MAX_VALUE, Segment.LIB, 1));

    private static final Plan PLAN = plan(
            new PrefetchObject(Frames.of(1_922_136), List.of(new IndexRange(0, 1), new IndexRange(20, 22))),
            PrefetchObject.whole(Frames.of(1)));

    private static final Plan SMALLEST = new Plan(
            digest("image"),
            digest("trace"),
            List.of(new PlanLayer(ChainId.ofBase(digest("layer")), digest("metadata"), 1)),
            List.of(),
            List.of(),
            List.of());

    private static Plan plan(PrefetchObject... prefetch) {
        return new Plan(
                digest("image"),
                digest("trace"),
                List.of(
                        new PlanLayer(ChainId.ofBase(digest("layer 0")), digest("metadata 0"), 4096),
                        new PlanLayer(
                                ChainId.ofBase(digest("layer 0")).append(digest("layer 1")), digest("m 1"), 8192)),
                List.of(new Library("node", "@scope/näme", "1.0.0"), new Library("python", "flask", "3.1.0")),
                OBJECTS,
                List.of(prefetch));
    }

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    PlanCodecTest() {
        super(PlanCodec::encode, PlanCodec::decode, List.of(PLAN, SMALLEST));
    }

    @Test
    void bytesNeverChange() {
        assertThat(PlanCodec.digest(PLAN))
                .hasToString("sha256:fa633edad961263b60ed06a5b73a51c488f9f5049ceb2dc26903d7067f8f2fe2");
        assertThat(PlanCodec.digest(SMALLEST))
                .hasToString("sha256:2ae62ff2b5539d5943fb4476c6828b9da4be9b491fc070369c548ef578fa8b7e");
    }

    @Test
    void framesAreThoseOfTheirObject() {
        PrefetchObject libc = PLAN.prefetch().getFirst();
        assertThat(libc.frames().count()).isEqualTo(30);
        assertThat(libc.wantedBytes()).isEqualTo(100 + 120 + 121);
        assertThat(libc.frames().contentBytes(29)).isEqualTo(1_922_136 - 29 * 65_536);
        refused("object 0 has frames of another size", PrefetchObject.whole(Frames.of(1)));
        refused("the prefetch list has 5 of 4", libc, libc, libc, libc, libc);
        assertThatThrownBy(() -> new PrefetchObject(Frames.of(65_537), List.of(new IndexRange(1, 3))))
                .hasMessageContaining("frames to 3 are read of 2");
        assertThatThrownBy(() -> ObjectFrames.of(65_537, List.of())).hasMessageContaining("65537 bytes has 0 frames");
    }

    private static void refused(String reason, PrefetchObject... prefetch) {
        assertThatThrownBy(() -> plan(prefetch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void numbersNameFramesThenObjects() {
        PlanNumbers numbers = new PlanNumbers(PLAN);
        assertThat(numbers.count()).isEqualTo(30 + 1 + 2);
        assertThat(numbers.wanted(new int[] {0, 1, 3})).containsExactly(0, 20, 21, 30, 32);
        for (int number = 0; number < numbers.count(); number++) {
            assertThat(numbers.number(numbers.object(number), numbers.frame(number)))
                    .isEqualTo(number);
        }
        assertThat(numbers.object(29)).isZero();
        assertThat(numbers.frame(29)).isEqualTo(29);
        assertThat(numbers.object(30)).isEqualTo(1);
        assertThat(numbers.object(31)).isEqualTo(2);
    }

    @Test
    void versionsTellWhichSideIsOld() {
        byte[] bytes = encoded();
        bytes[4] = 4;
        assertFails(resealed(bytes), Kind.TOO_NEW);
        bytes[4] = 2;
        assertFails(resealed(bytes), Kind.TOO_OLD);
    }

    @Test
    void hostileCountsAllocateNothing() {
        byte[] bytes = PlanCodec.encode(SMALLEST);
        int end = bytes.length - 4;
        for (int count : new int[] {8 + 2 * Digest.BYTES, end - 3, end - 2, end - 1}) {
            byte[] hostile = Arrays.copyOf(bytes, count + 9 + 4);
            Arrays.fill(hostile, count, count + 8, (byte) 0xff);
            hostile[count + 8] = 0x7f;
            assertFails(resealed(hostile), Kind.CORRUPT);
        }
    }

    @Test
    void largePlanKeepsEveryObject() throws Exception {
        List<PlanObject> objects = new ArrayList<>();
        for (int i = 0; i < 80_000; i++) {
            objects.add(new PlanObject(digest("object " + i), i + 1L, Segment.BASE, -1));
        }
        Plan plan =
                new Plan(PLAN.image(), PLAN.trace(), PLAN.layers(), List.of(), objects, Frames.prefetch(objects, 4000));
        byte[] bytes = PlanCodec.encode(plan);
        assertThat(bytes.length).isLessThan(80_000 * 36 + 4000 * 36 + 1000);
        assertThat(PlanCodec.decode(bytes)).isEqualTo(plan);
    }
}
