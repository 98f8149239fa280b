package io.faasimage.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.faasimage.testing.Wait;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the memory that a compressed stream needs. */
class DecompressedTest {
    private static byte[] zstd(int windowLog, String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(bytes)) {
            zstd.setLong(windowLog);
            zstd.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static Decompressed open(byte[] bytes) throws IOException {
        return Decompressed.of(new ByteArrayInputStream(bytes), "layer x");
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 23, 25, 26, 27})
    void aWindowUpToTheLimitIsRead(int windowLog) throws IOException {
        try (Decompressed stream = open(zstd(windowLog, "hello"))) {
            assertThat(stream.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
        }
    }

    @Test
    void aWindowBeyondTheLimitIsRefusedByItsHeader() throws IOException {
        byte[] wide = zstd(27, "hello");
        wide[5] = (byte) ((28 - 10) << 3);
        assertThat(ZstdWindow.bytes(wide)).isEqualTo(1L << 28);
        ByteBuffer singleSegment = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        singleSegment.putInt(0xfd2fb528).put((byte) 0xe0).putLong(1L << 40);
        for (byte[] bytes : new byte[][] {wide, singleSegment.array()}) {
            assertThatThrownBy(() -> open(bytes))
                    .isInstanceOf(LayerException.class)
                    .hasMessageContaining("layer x is compressed with a zstd window of more than 128 MiB");
        }
    }

    @Test
    void aRowOfEmptyGzipMembersIsRefused() throws IOException {
        ByteArrayOutputStream empty = new ByteArrayOutputStream();
        new GZIPOutputStream(empty).close();
        byte[] row = new byte[200_000 * empty.size()];
        for (int at = 0; at < row.length; at += empty.size()) {
            System.arraycopy(empty.toByteArray(), 0, row, at, empty.size());
        }
        try (Decompressed stream = open(row)) {
            assertThatThrownBy(stream::readAllBytes)
                    .isInstanceOf(LayerException.class)
                    .hasMessageContaining("empty gzip members");
        }
    }

    @Test
    void aThirdLargeWindowWaitsUntilOneIsClosed() throws Exception {
        byte[] large = zstd(27, "hello");
        Decompressed first = open(large);
        CountDownLatch starts = new CountDownLatch(1);
        try (Decompressed _ = open(large)) {
            FutureTask<String> third = new FutureTask<>(() -> {
                starts.countDown();
                try (Decompressed stream = open(large)) {
                    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                }
            });
            Thread waiting = Thread.ofPlatform().start(third);
            starts.await();
            Wait.until("the third to wait", () -> waiting.getState() == Thread.State.WAITING);
            assertThat(third.isDone()).isFalse();
            first.close();
            first.close();
            assertThat(third.get()).isEqualTo("hello");
        }
    }
}
