package io.faasimage.format.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceCodecTest extends AbstractCodecTest<Trace> {
    private static final ChainId CHAIN = new ChainId(Digest.of("image".getBytes(StandardCharsets.UTF_8)));
    private static final Trace TRACE = new Trace(
            CHAIN,
            3,
            List.of(
                    entry("lib/ld.so", 3, 0, 10, List.of()),
                    entry("app/with space ü.py", 2, 9, 2_000_000, List.of(new ByteRange(0, 4096))),
                    entry("big", 1, 2, 5, List.of(new ByteRange(4096, 4096), new ByteRange(1L << 40, 1)))));
    private static final Trace EMPTY = new Trace(CHAIN, 1, List.of());
    /** Entries that need version 2: ranges of some of the runs, and a run that read nothing of a file. */
    private static final Trace RANGES_OF_SOME = new Trace(
            CHAIN,
            3,
            List.of(
                    new TraceEntry(FilePath.ofText("some"), 3, 0, 1, 2, List.of(new ByteRange(0, 4096))),
                    new TraceEntry(FilePath.ofText("opened only"), 3, 3, 1, 1, List.of()),
                    entry("all", 3, 6, 1, List.of(new ByteRange(4096, 1)))));

    private static TraceEntry entry(String path, int runs, long rankSum, long micros, List<ByteRange> ranges) {
        return new TraceEntry(FilePath.ofText(path), runs, rankSum, micros, ranges.isEmpty() ? 0 : runs, ranges);
    }

    TraceCodecTest() {
        super(TraceCodec::encode, TraceCodec::decode, List.of(TRACE, EMPTY, RANGES_OF_SOME));
    }

    @Test
    void bytesNeverChange() {
        assertThat(TraceCodec.digest(TRACE))
                .hasToString("sha256:beeb36a60ac31466cf1cf1c5991208bb7a41e90f6e01bf76d1474e148851bd24");
        assertThat(TraceCodec.digest(EMPTY))
                .hasToString("sha256:49b11c91584736dafbfbb436069f8a455697f6ab2bcccca2fb40c4a14c0da899");
        assertThat(TraceCodec.digest(RANGES_OF_SOME))
                .hasToString("sha256:b3acefc8d8197d560c2e1aa61946fbded21a0d1a8dd01bd897371752b92a2177");
    }

    @Test
    void aTraceThatAnOlderProgramUnderstandsIsOfTheOlderVersion() {
        assertThat(TraceCodec.encode(TRACE)[4]).isEqualTo((byte) 1);
        assertThat(TraceCodec.encode(RANGES_OF_SOME)[4]).isEqualTo((byte) 2);
        byte[] bytes = TraceCodec.encode(EMPTY);
        bytes[4] = 2;
        assertThatThrownBy(() -> TraceCodec.decode(resealed(bytes))).hasMessageContaining("version 1 says the same");
    }

    @Test
    void mergedRangesAreThoseOfAllRunsThatSawThem() {
        Trace whole = new Trace(CHAIN, 1, List.of(TraceEntry.whole(FilePath.ofText("a"), 1, 0, 0)));
        Trace first = new Trace(CHAIN, 1, List.of(entry("a", 1, 0, 0, List.of(new ByteRange(0, 4096)))));
        Trace second = new Trace(
                CHAIN, 1, List.of(entry("a", 1, 0, 0, List.of(new ByteRange(4096, 10), new ByteRange(8192, 1)))));
        TraceEntry merged = whole.merge(first).merge(second).entries().getFirst();
        assertThat(merged.runs()).isEqualTo(3);
        assertThat(merged.rangeRuns()).isEqualTo(2);
        assertThat(merged.ranges()).containsExactly(new ByteRange(0, 4106), new ByteRange(8192, 1));
    }

    @Test
    void rangesAreOfSomeOfTheRuns() {
        FilePath path = FilePath.ofText("a");
        List<ByteRange> ranges = List.of(new ByteRange(0, 1));
        assertThatThrownBy(() -> new TraceEntry(path, 2, 0, 0, 3, ranges)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TraceEntry(path, 2, 0, 0, 0, ranges)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TraceEntry(path, 2, 0, 0, -1, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pathsKeepEveryByte() throws Exception {
        byte[] name = new byte[254];
        for (int i = 0, b = 1; b < 256; b++) {
            if (b != '/') {
                name[i++] = (byte) b;
            }
        }
        Trace trace = new Trace(CHAIN, 1, List.of(TraceEntry.whole(FilePath.ofBytes(name), 1, 0, 0)));
        Trace read = TraceCodec.decode(TraceCodec.encode(trace));
        assertThat(read.entries().getFirst().path().bytes()).isEqualTo(name);
    }

    @Test
    void versionsTellWhichSideIsOld() {
        byte[] bytes = encoded();
        bytes[5] = 1;
        assertFails(resealed(bytes), Kind.TOO_NEW);
        bytes[5] = 0;
        bytes[4] = 0;
        assertFails(resealed(bytes), Kind.TOO_OLD);
    }

    @Test
    void mergedTimesDoNotOverflow() {
        Trace huge = new Trace(CHAIN, 1 << 30, List.of(entry("a", 1 << 30, 0, Long.MAX_VALUE, List.of())));
        Trace merged = huge.merge(new Trace(CHAIN, 1, List.of(entry("a", 1, 0, Long.MAX_VALUE, List.of()))));
        assertThat(merged.entries().getFirst().firstAccessMicros()).isPositive();
    }

    @Test
    void rangesMustBeSortedAndDisjoint() {
        assertThatThrownBy(() -> entry("a", 1, 0, 0, List.of(new ByteRange(8, 8), new ByteRange(0, 8))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> entry("a", 1, 0, 0, List.of(new ByteRange(0, 8), new ByteRange(7, 8))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
