package io.faasimage.format.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException.Kind;
import io.faasimage.format.fuzz.AbstractCodecTest;
import io.faasimage.format.fuzz.Mutations;
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

    private static TraceEntry entry(String path, int runs, long rankSum, long micros, List<ByteRange> ranges) {
        return new TraceEntry(FilePath.ofText(path), runs, rankSum, micros, ranges);
    }

    TraceCodecTest() {
        super("trace", TraceCodec::encode, TraceCodec::decode, List.of(TRACE, EMPTY));
    }

    @Test
    void bytesNeverChange() {
        assertThat(TraceCodec.digest(TRACE))
                .hasToString("sha256:beeb36a60ac31466cf1cf1c5991208bb7a41e90f6e01bf76d1474e148851bd24");
        assertThat(TraceCodec.digest(EMPTY))
                .hasToString("sha256:49b11c91584736dafbfbb436069f8a455697f6ab2bcccca2fb40c4a14c0da899");
    }

    @Test
    void pathsKeepEveryByte() throws Exception {
        byte[] name = new byte[254];
        for (int i = 0, b = 1; b < 256; b++) {
            if (b != '/') {
                name[i++] = (byte) b;
            }
        }
        Trace trace = new Trace(CHAIN, 1, List.of(new TraceEntry(FilePath.ofBytes(name), 1, 0, 0, List.of())));
        Trace read = TraceCodec.decode(TraceCodec.encode(trace));
        assertThat(read.entries().getFirst().path().bytes()).isEqualTo(name);
    }

    @Test
    void versionsTellWhichSideIsOld() {
        byte[] bytes = encoded();
        bytes[5] = 1;
        assertFails(Mutations.resealed(bytes), Kind.TOO_NEW);
        bytes[5] = 0;
        bytes[4] = 0;
        assertFails(Mutations.resealed(bytes), Kind.TOO_OLD);
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
