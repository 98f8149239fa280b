package io.faasimage.format.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.bundle.Frame.ChainsFrame;
import io.faasimage.format.bundle.Frame.EndFrame;
import io.faasimage.format.bundle.Frame.ErrorFrame;
import io.faasimage.format.bundle.Frame.MetadataFrame;
import io.faasimage.format.bundle.Frame.ObjectFrame;
import io.faasimage.format.bundle.Frame.PlanFrame;
import io.faasimage.format.bundle.Frame.SelectedFrame;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BundleTest {
    private static final byte[] PLAN = bytes("an encoded plan");
    private static final byte[] META = bytes("a compressed metadata image");
    private static final byte[] OBJECT = bytes("object");
    private static final List<ChainId> CHAINS =
            List.of(new ChainId(Digest.of(bytes("a"))), new ChainId(Digest.of(bytes("b"))));
    private static final Selection SELECTION =
            new Selection(List.of(new IndexRange(0, 1), new IndexRange(7, 300), new IndexRange(1000, 1001)));
    private static final long STORED = 64 + PLAN.length + SELECTION.encode().length + META.length + 3L * OBJECT.length;
    private static final int HEAD = 64;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] sample() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BundleWriter writer = new BundleWriter(out);
        writer.chains(CHAINS);
        writer.plan(PLAN);
        writer.selected(SELECTION);
        writer.metadata(Digest.of(bytes("m")), 4096, META.length, new ByteArrayInputStream(META));
        writer.object(Digest.of(bytes("1")), 1, OBJECT.length, new ByteArrayInputStream(OBJECT));
        writer.objectHeader(Digest.of(bytes("2")), 1L << 40, OBJECT.length + 1000L, 1000);
        out.write(OBJECT);
        writer.framesHeader(Digest.of(bytes("3")), 7, OBJECT.length);
        out.write(OBJECT);
        writer.end();
        assertThat(writer.frames()).isEqualTo(7);
        assertThat(writer.storedBytes()).isEqualTo(STORED);
        return out.toByteArray();
    }

    /** Reads all frames and, as a receiver does, the payloads. */
    private static List<Frame> readAll(byte[] bundle) throws IOException {
        BundleReader reader = new BundleReader(new ByteArrayInputStream(bundle));
        List<Frame> frames = new ArrayList<>();
        for (Optional<Frame> next = reader.next(); next.isPresent(); next = reader.next()) {
            Frame frame = next.get();
            frames.add(frame);
            switch (frame) {
                case MetadataFrame f -> assertThat(f.payload().readAllBytes()).hasSize((int) f.storedSize());
                case ObjectFrame f ->
                    assertThat(f.payload().readAllBytes()).hasSize((int) (f.storedSize() - f.offset()));
                case Frame.FramesFrame f ->
                    assertThat(f.payload().readAllBytes()).hasSize((int) f.storedSize());
                case Frame.PlanDeltaFrame f -> assertThat(f.delta().size()).isPositive();
                case Frame.MetadataDeltaFrame f -> assertThat(f.delta().size()).isPositive();
                case SelectedFrame f -> assertThat(f.selection().size()).isNotNegative();
                case ChainsFrame f -> assertThat(f.chains()).hasSizeLessThanOrEqualTo(BundleWriter.MAX_CHAINS);
                case PlanFrame f -> assertThat(Digest.of(f.encoded())).isEqualTo(f.digest());
                case ErrorFrame f -> assertThat(f.message()).isNotNull();
                case EndFrame f -> assertThat(f.frames()).isEqualTo(frames.size() - 1L);
            }
        }
        return frames;
    }

    @Test
    void framesComeAsTheyWereWritten() throws Exception {
        BundleReader reader = new BundleReader(new ByteArrayInputStream(sample()));
        assertThat(reader.next()).contains(new ChainsFrame(CHAINS));
        assertThat(reader.next()).get().isInstanceOfSatisfying(PlanFrame.class, plan -> {
            assertThat(plan.digest()).isEqualTo(Digest.of(PLAN));
            assertThat(plan.encoded()).isEqualTo(PLAN);
        });
        assertThat(reader.next()).contains(new SelectedFrame(SELECTION));
        assertThat(reader.next()).get().isInstanceOfSatisfying(MetadataFrame.class, meta -> {
            assertThat(meta.digest()).isEqualTo(Digest.of(bytes("m")));
            assertThat(meta.rawSize()).isEqualTo(4096);
            assertThat(meta.payload()).hasBinaryContent(META);
        });
        assertThat(reader.next()).get().isInstanceOf(ObjectFrame.class); // payload left unread
        assertThat(reader.next()).get().isInstanceOfSatisfying(ObjectFrame.class, object -> {
            assertThat(object.digest()).isEqualTo(Digest.of(bytes("2")));
            assertThat(object.rawSize()).isEqualTo(1L << 40);
            assertThat(object.storedSize()).isEqualTo(OBJECT.length + 1000L);
            assertThat(object.offset()).isEqualTo(1000);
            assertThat(object.payload()).hasBinaryContent(OBJECT);
        });
        assertThat(reader.next()).get().isInstanceOfSatisfying(Frame.FramesFrame.class, frames -> {
            assertThat(frames.digest()).isEqualTo(Digest.of(bytes("3")));
            assertThat(frames.first()).isEqualTo(7);
            assertThat(frames.payload()).hasBinaryContent(OBJECT);
        });
        assertThat(reader.next()).contains(new EndFrame(7, STORED));
        assertThat(reader.next()).isEmpty();
        assertThat(reader.next()).isEmpty();
    }

    @Test
    void bytesNeverChange() throws Exception {
        assertThat(Digest.of(sample()))
                .hasToString("sha256:62cfb6ceaf86c733cd3a6878b0d9d05721b9b9567ae02b2a522fb03a18464875");
    }

    @Test
    void errorEndsTheBundle() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BundleWriter writer = new BundleWriter(out);
        writer.error("pack is gone: größer");
        assertThat(readAll(out.toByteArray())).containsExactly(new ErrorFrame("pack is gone: größer"));
        assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void longErrorIsCutBetweenCharacters() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BundleWriter(out).error("x" + "ü".repeat(BundleWriter.MAX_ERROR_BYTES));
        String expected = "x" + "ü".repeat(BundleWriter.MAX_ERROR_BYTES / 2 - 1);
        assertThat(readAll(out.toByteArray())).containsExactly(new ErrorFrame(expected));
    }

    @Test
    void everyTruncationIsCorrupt() throws Exception {
        byte[] bundle = sample();
        for (int length = 0; length < bundle.length; length++) {
            assertFails(Arrays.copyOf(bundle, length), Kind.CORRUPT);
        }
    }

    @Test
    void everyFlippedBitOutsidePayloadsIsCorrupt() throws Exception {
        byte[] bundle = sample();
        int metaPayload = metadataAt() + HEAD;
        for (int bit = 0; bit < bundle.length * 8; bit++) {
            int at = bit / 8;
            boolean inPayload = (at >= metaPayload && at < metaPayload + META.length)
                    || (at >= metaPayload + META.length + HEAD && at < metaPayload + META.length + HEAD + OBJECT.length)
                    || (at >= bundle.length - HEAD - OBJECT.length && at < bundle.length - HEAD)
                    || (at >= bundle.length - 2 * (HEAD + OBJECT.length)
                            && at < bundle.length - 2 * HEAD - OBJECT.length);
            if (!inPayload) {
                byte[] flipped = bundle.clone();
                flipped[at] ^= (byte) (1 << bit % 8);
                assertFails(flipped, Kind.CORRUPT);
            }
        }
    }

    private static int metadataAt() {
        return 12 + HEAD + 64 + HEAD + PLAN.length + HEAD + SELECTION.encode().length;
    }

    @Test
    void aLostFrameIsNoticed() throws Exception {
        byte[] bundle = sample();
        int first = metadataAt() + HEAD + META.length;
        int length = HEAD + OBJECT.length;
        byte[] without = new byte[bundle.length - length];
        System.arraycopy(bundle, 0, without, 0, first);
        System.arraycopy(bundle, first + length, without, first, without.length - first);
        assertFails(without, Kind.CORRUPT);
    }

    @Test
    void bytesAfterTheEndAreRefused() throws Exception {
        byte[] bundle = sample();
        assertFails(Arrays.copyOf(bundle, bundle.length + 1), Kind.CORRUPT);
    }

    @Test
    void versionsTellWhichSideIsOld() throws Exception {
        assertFails(withVersion(4), Kind.TOO_NEW);
        assertFails(withVersion(2), Kind.TOO_OLD);
    }

    private static byte[] withVersion(int version) throws IOException {
        byte[] bundle = sample();
        bundle[4] = (byte) version;
        CRC32C crc = new CRC32C();
        crc.update(bundle, 0, 8);
        ByteBuffer.wrap(bundle).order(ByteOrder.LITTLE_ENDIAN).putInt(8, (int) crc.getValue());
        return bundle;
    }

    @Test
    void planBeyondTheLimitIsRefusedBeforeItIsRead() throws Exception {
        BundleReader reader = new BundleReader(new ByteArrayInputStream(sample()), PLAN.length - 1);
        assertThat(reader.next()).containsInstanceOf(ChainsFrame.class);
        assertThatThrownBy(reader::next).isInstanceOf(FormatException.class).hasMessageContaining("limit");
    }

    @Test
    void theLengthIsKnownBefore() throws Exception {
        BundleSize size = new BundleSize();
        int object = OBJECT.length;
        long[] payloads = {64, PLAN.length, SELECTION.encode().length, META.length, object, object, object};
        for (long payload : payloads) {
            size.frame(payload);
        }
        assertThat(size.bytes()).isEqualTo(sample().length);
    }

    @Test
    void onlyObjectsMayBeginLate() throws Exception {
        byte[] bundle = sample();
        ByteBuffer.wrap(bundle).order(ByteOrder.LITTLE_ENDIAN).putLong(metadataAt() + 20, 1);
        assertFails(resealed(bundle), Kind.CORRUPT);
        BundleWriter writer = new BundleWriter(new ByteArrayOutputStream());
        assertThatThrownBy(() -> writer.objectHeader(Digest.of(OBJECT), 9, 9, 9))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooManyChainsAreRefused() throws Exception {
        BundleWriter writer = new BundleWriter(new ByteArrayOutputStream());
        List<ChainId> many = Collections.nCopies(BundleWriter.MAX_CHAINS + 1, CHAINS.getFirst());
        assertThatThrownBy(() -> writer.chains(many)).hasMessageContaining("4096");
    }

    @Test
    void shortPayloadFailsTheWriter() throws Exception {
        BundleWriter writer = new BundleWriter(new ByteArrayOutputStream());
        assertThatThrownBy(() -> writer.object(Digest.of(OBJECT), 9, 9, new ByteArrayInputStream(OBJECT)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ends 3 bytes before its 9");
    }

    @Test
    void payloadsArriveThroughAStreamThatReadsAByteAtATime() throws Exception {
        InputStream dribble = new ByteArrayInputStream(sample()) {
            @Override
            public int read(byte[] buffer, int offset, int length) {
                return super.read(buffer, offset, Math.min(length, 1));
            }
        };
        BundleReader reader = new BundleReader(dribble);
        int frames = 0;
        while (reader.next().isPresent()) {
            frames++;
        }
        assertThat(frames).isEqualTo(8);
    }

    /** Makes the running checksums right as far as the heads can be followed. */
    private static byte[] resealed(byte[] bundle) {
        byte[] sealed = bundle.clone();
        ByteBuffer buffer = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        if (sealed.length < 12) {
            return sealed;
        }
        crc.update(sealed, 0, 8);
        buffer.putInt(8, (int) crc.getValue());
        long at = 12;
        while (at >= 0 && at + HEAD <= sealed.length) {
            crc.update(sealed, (int) at, HEAD - 4);
            buffer.putInt((int) at + HEAD - 4, (int) crc.getValue());
            long stored = buffer.getLong((int) at + 12) - buffer.getLong((int) at + 20);
            at = stored < 0 || stored > sealed.length ? -1 : at + HEAD + stored;
        }
        return sealed;
    }

    private static void assertFails(byte[] bundle, Kind kind) {
        assertThatThrownBy(() -> readAll(bundle))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
