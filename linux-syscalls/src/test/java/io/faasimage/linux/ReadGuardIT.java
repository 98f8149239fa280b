package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guarded reads; needs root and Linux 6.14. */
class ReadGuardIT {
    private static final int BYTES = 100_000;

    @TempDir
    Path temp;

    private static CompletableFuture<String> read(Path file, int at) {
        return CompletableFuture.supplyAsync(() -> {
            try (FileChannel channel = FileChannel.open(file)) {
                ByteBuffer bytes = ByteBuffer.allocate(5);
                int n = channel.read(bytes, at);
                return n + ":" + new String(bytes.array(), StandardCharsets.US_ASCII);
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        });
    }

    private static ReadGuard.Question next(ReadGuard guard) throws IOException {
        List<ReadGuard.Question> questions = guard.read(5000);
        assertThat(questions).hasSize(1);
        return questions.getFirst();
    }

    @Test
    void aReaderGetsWhatWasWrittenWhileItWaited() throws Exception {
        Path file = Files.write(temp.resolve("file"), new byte[BYTES]);
        try (ReadGuard guard = ReadGuard.open();
                FileChannel own = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            guard.guard(file);
            CompletableFuture<String> reader = read(file, 5000);
            ReadGuard.Question question = next(guard);
            assertThat(question.offset()).isEqualTo(4096);
            assertThat(question.count()).isEqualTo(4096);
            assertThat(question.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
            assertThat(reader).isNotDone();
            own.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)), 5000);
            guard.allow(question);
            assertThat(reader.get()).isEqualTo("5:hello");

            CompletableFuture<String> failing = read(file, 0);
            guard.fail(next(guard));
            assertThat(failing.get()).contains("Input/output error");

            guard.release(file);
            assertThat(read(file, 5000).get()).isEqualTo("5:hello");
        }
    }

    @Test
    void readsThatWaitGoOnWhenNobodyIsLeftToAnswer() throws Exception {
        Path file = Files.write(temp.resolve("file"), new byte[BYTES]);
        CompletableFuture<String> reader;
        try (ReadGuard guard = ReadGuard.open()) {
            guard.guard(file);
            reader = read(file, 0);
            next(guard);
        }
        assertThat(reader.get()).startsWith("5:");
    }

    @Test
    void aFileThatIsNotThereIsAnError() throws Exception {
        try (ReadGuard guard = ReadGuard.open()) {
            assertThatThrownBy(() -> guard.guard(temp.resolve("none"))).isInstanceOf(LinuxException.class);
        }
    }
}
