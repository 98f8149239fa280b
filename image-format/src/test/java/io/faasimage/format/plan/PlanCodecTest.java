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
    private static final Plan PLAN = new Plan(
            digest("image"),
            digest("trace"),
            List.of(
                    new PlanLayer(ChainId.ofBase(digest("layer 0")), digest("metadata 0"), 4096),
                    new PlanLayer(ChainId.ofBase(digest("layer 0")).append(digest("layer 1")), digest("m 1"), 8192)),
            List.of(new Library("node", "@scope/näme", "1.0.0"), new Library("python", "flask", "3.1.0")),
            List.of(
                    new PlanObject(digest("libc"), 1_922_136, Segment.BASE, -1),
                    new PlanObject(digest("app.py"), 1, Segment.FUNC, -1),
                    new PlanObject(digest("index.js"), 127, Segment.LIB, 0),
                    new PlanObject(digest("flask"), Long.MAX_VALUE, Segment.LIB, 1)),
            2);

    private static final Plan SMALLEST = new Plan(
            digest("image"),
            digest("trace"),
            List.of(new PlanLayer(ChainId.ofBase(digest("layer")), digest("metadata"), 1)),
            List.of(),
            List.of(),
            0);

    /** With an object of 30 chunks of 64 KiB. */
    private static final Plan PIECED = pieced(
            0,
            1,
            new Piece(digest("start"), List.of(new IndexRange(0, 1), new IndexRange(20, 22))),
            new Piece(digest("rest"), List.of(new IndexRange(1, 20), new IndexRange(22, 29))),
            new Piece(digest("end"), List.of(new IndexRange(29, 30))));

    private static Plan pieced(int object, int startup, Piece... pieces) {
        return new Plan(
                PLAN.image(),
                PLAN.trace(),
                PLAN.layers(),
                PLAN.libraries(),
                PLAN.objects(),
                PLAN.startupCount(),
                List.of(new PiecedObject(object, 16, List.of(pieces), startup)));
    }

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    PlanCodecTest() {
        super(PlanCodec::encode, PlanCodec::decode, List.of(PIECED, PLAN, SMALLEST));
    }

    @Test
    void bytesNeverChange() {
        assertThat(PlanCodec.digest(PLAN))
                .hasToString("sha256:4d47089fb22eab5d32d15d3b77b8a9ca6f123f0240c3f112ab1c2ebab686d2fc");
        assertThat(PlanCodec.digest(SMALLEST))
                .hasToString("sha256:8083ac7e3313cfdcafeef7711632a5d39095ba3d2a1f99109333bccf3a2922b2");
        assertThat(PlanCodec.digest(PIECED))
                .hasToString("sha256:c9cf2dd8fa9f7df4c2ae3159a9f5dd6b907b1676e1a60a14b4e8de3fe9378b51");
    }

    @Test
    void aPlanThatAnOlderProgramUnderstandsIsOfTheOlderVersion() {
        assertThat(PlanCodec.encode(PLAN)[4]).isEqualTo((byte) 1);
        assertThat(PlanCodec.encode(PIECED)[4]).isEqualTo((byte) 2);
        byte[] bytes = PlanCodec.encode(PLAN);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length - 4] = 0;
        longer[4] = 2;
        assertThatThrownBy(() -> PlanCodec.decode(resealed(longer))).hasMessageContaining("version 1 says the same");
    }

    @Test
    void piecesAreTheWholeObjectOnce() {
        PiecedObject object = PIECED.pieced().getFirst();
        assertThat(object.startupChunks()).containsExactly(new IndexRange(0, 1), new IndexRange(20, 22));
        long size = PLAN.objects().getFirst().size();
        assertThat(object.pieces().stream().mapToLong(piece -> piece.size(object.chunkBytes(), size)))
                .containsExactly(3 * 65_536L, 26 * 65_536L, size - 29 * 65_536L);
        Piece all = new Piece(digest("all"), List.of(new IndexRange(0, 30)));
        assertThat(pieced(0, 0, all).pieced()).hasSize(1);
        refused("not in one piece", 0, 0, all, all);
        refused("not in one piece", 0, 0, new Piece(digest("a"), List.of(new IndexRange(1, 30))));
        refused("29 of its 30 chunks", 0, 0, new Piece(digest("a"), List.of(new IndexRange(0, 29))));
        refused("31 of its 30 chunks", 0, 0, new Piece(digest("a"), List.of(new IndexRange(0, 31))));
        refused("of which 2 are for starts", 0, 2, all);
        refused("not in the prefetch list", 2, 0, all);
        assertThatThrownBy(() -> new PiecedObject(0, 11, List.of(all), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Piece(digest("a"), List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static void refused(String reason, int object, int startup, Piece... pieces) {
        assertThatThrownBy(() -> pieced(object, startup, pieces))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void versionsTellWhichSideIsOld() {
        byte[] bytes = encoded();
        bytes[4] = 3;
        assertFails(resealed(bytes), Kind.TOO_NEW);
        bytes[4] = 0;
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
        Plan plan = new Plan(PLAN.image(), PLAN.trace(), PLAN.layers(), List.of(), objects, 4000);
        byte[] bytes = PlanCodec.encode(plan);
        assertThat(bytes.length).isLessThan(80_000 * 36 + 1000);
        assertThat(PlanCodec.decode(bytes)).isEqualTo(plan);
    }
}
