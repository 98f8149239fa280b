package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.faasimage.format.id.Digest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkedImageTest {
    private static final Digest A = Digest.of(Trees.bytes("a"));
    private static final Digest B = Digest.of(Trees.bytes("b"));

    @TempDir
    Path temp;

    private static ChunkedImage image(long size, ChunkRun... runs) {
        return new ChunkedImage(65_536, List.of(100L, 1000L), List.of(new ChunkedFile(A, size, List.of(runs))));
    }

    @Test
    void bytesNeverChange() throws Exception {
        Devices devices = new Devices(new Random(1), 1, 4096, 65_536, 65_537, 1_000_003);
        assertThat(Digest.of(devices.bytes()))
                .hasToString("sha256:4c508be3462e6d206b719d0abacfd59ca9733647507d74933ff51989244b4066");
    }

    @Test
    void fileSystemCheckFindsNothing() throws Exception {
        new Devices(new Random(2), 1, 4095, 4097, 65_536, 65_537, 1_000_003, 7 << 20).writeTo(temp);
        Fsck.check(temp.resolve("image"), temp.resolve("pack"), temp.resolve("rest"));
    }

    @Test
    void moreDevicesThanFitIntoTheFirstBlock() throws Exception {
        int count = 300;
        ChunkedImage image = new ChunkedImage(
                4096,
                LongStream.range(0, count).mapToObj(i -> 1L).toList(),
                IntStream.range(0, count)
                        .mapToObj(i -> new ChunkedFile(
                                Digest.of(Trees.bytes("file " + i)), 4096, List.of(new ChunkRun(1, i + 1, 0))))
                        .toList());
        Path file = temp.resolve("image");
        try (var out = Files.newOutputStream(file)) {
            ErofsWriter.write(image, out);
        }
        Path[] devices = new Path[count];
        for (int i = 0; i < count; i++) {
            devices[i] = Files.write(temp.resolve("device" + i), new byte[4096]);
        }
        Fsck.check(file, devices);
    }

    @Test
    void everyChunkHasAPlaceWithinItsDevice() {
        image(65_536 * 2 + 1, new ChunkRun(1, 1, 0), new ChunkRun(2, 2, 983));
        refused("no place for its last 1 bytes", 65_536 * 2 + 1, new ChunkRun(2, 1, 0));
        refused("behind its end", 65_536, new ChunkRun(2, 1, 0));
        refused("behind its end", 1, new ChunkRun(1, 1, 0), new ChunkRun(1, 1, 0));
        refused("behind its end", 1, new ChunkRun(Long.MAX_VALUE, 1, 0));
        refused("end of device 1", 65_536, new ChunkRun(1, 1, 85));
        refused("end of device 2", 65_537, new ChunkRun(1, 2, 0), new ChunkRun(1, 2, 1000));
        refused("end of device 3", 1, new ChunkRun(1, 3, 0));
    }

    private static void refused(String reason, long size, ChunkRun... runs) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> image(size, runs))
                .withMessageContaining(A.toString())
                .withMessageContaining(reason);
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        List<ChunkedFile> none = List.of();
        for (int bytes : new int[] {0, 2048, 65_537, 1 << 31}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new ChunkedImage(bytes, List.of(1L), none));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkedImage(4096, List.of(), none));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkedImage(4096, List.of(0L), none));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkedImage(4096, List.of(1L << 32), none));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkedFile(A, 0, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkRun(0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkRun(1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new ChunkRun(1, 1, -1));
        ChunkedFile twice = new ChunkedFile(B, 1, List.of(new ChunkRun(1, 1, 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ChunkedImage(4096, List.of(1L), List.of(twice, twice)))
                .withMessageContaining("twice");
    }
}
