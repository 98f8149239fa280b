package io.faasimage.registry.platform.connection;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of bodies that go through a servlet's stream, as over TLS. */
class StreamTargetTest {
    @TempDir
    Path directory;

    /** An output stream that takes at most some bytes of a buffer at once. */
    private static final class Narrow extends ServletOutputStream {
        private static final int TAKEN = 300_000;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(ByteBuffer piece) {
            byte[] taken = new byte[Math.min(TAKEN, piece.remaining())];
            piece.get(taken);
            bytes.writeBytes(taken);
        }

        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void memoryAndPartsOfFilesComeInOrderAndWhole() throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Path file = Files.write(directory.resolve("pack"), content);
        Narrow out = new Narrow();
        try (FileChannel channel = FileChannel.open(file);
                Arena memory = Arena.ofConfined()) {
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, content.length, memory);
            StreamTarget target = new StreamTarget(out);
            target.write(ByteBuffer.wrap(content, 0, 700_000));
            target.write(channel, 700_000, mapped.asSlice(700_000, 2_000_000));
            target.flush();
        }
        assertThat(out.bytes.toByteArray()).isEqualTo(Arrays.copyOf(content, 2_700_000));
    }
}
