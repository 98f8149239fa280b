package io.faasimage.node.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Upper directories of containers, of which some do not want to be read. */
@Timeout(60)
class CacheCollectorTest {
    private static final ChainId CHAIN = new ChainId(Digest.of(new byte[1]));
    private static final Instant LATER = Instant.MAX;

    @TempDir
    private Path temp;

    private Path upper = Path.of("");

    @BeforeEach
    void makeUpper() throws IOException {
        upper = Files.createDirectory(temp.resolve("fs"));
        write("app/__pycache__/good.cpython-311.pyc", "good");
    }

    private Path write(String path, String content) throws IOException {
        Path file = upper.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private List<String> collected(Instant until) throws IOException {
        return CacheCollector.collect(upper, CHAIN, until).map(LearntCaches::files).orElse(List.of()).stream()
                .map(file -> file.path().display())
                .toList();
    }

    private void assertOnlyTheGoodOne() throws IOException {
        assertThat(collected(LATER)).containsExactly("/app/__pycache__/good.cpython-311.pyc");
    }

    @Test
    void takesFilesOfCachesWithTheirAttributes() throws IOException {
        write("app/handler.py", "source");
        write("etc/passwd", "root");
        Path file = write("tmp/cc/v22.1.0-x64-0a1b2c3d-0/6a7b", "v8");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000L, 5_000)));
        List<LearntFile> files =
                CacheCollector.collect(upper, CHAIN, LATER).orElseThrow().files();
        assertThat(files)
                .extracting(learnt -> learnt.path().display())
                .containsExactly("/app/__pycache__/good.cpython-311.pyc", "/tmp/cc/v22.1.0-x64-0a1b2c3d-0/6a7b");
        assertThat(files.getFirst().content()).asString().isEqualTo("good");
        assertThat(files.getLast().attributes().mode()).isEqualTo(0640);
        assertThat(files.getLast().attributes().mtimeSeconds()).isEqualTo(1_700_000_000L);
        assertThat(files.getLast().attributes().mtimeNanos()).isEqualTo(5_000);
    }

    @Test
    void takesNothingThatARequestMayHaveCaused() throws IOException {
        Path file = upper.resolve("app/__pycache__/good.cpython-311.pyc");
        // The time of modification can be set, that of the inode's last change cannot.
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        assertThat(collected(changed)).isEmpty();
        assertThat(collected(changed.plusMillis(11))).hasSize(1);
    }

    @Test
    void followsNoSymbolicLink() throws IOException {
        Path secret = Files.createDirectories(temp.resolve("host/__pycache__"));
        Files.writeString(secret.resolve("secret.cpython-311.pyc"), "secret");
        Files.createSymbolicLink(upper.resolve("linked"), temp.resolve("host"));
        Files.createSymbolicLink(
                upper.resolve("app/__pycache__/link.cpython-311.pyc"), secret.resolve("secret.cpython-311.pyc"));
        assertOnlyTheGoodOne();
    }

    @Test
    void opensNothingThatBlocksAndNothingWithTwoNames() throws Exception {
        Path fifo = upper.resolve("app/__pycache__/fifo.cpython-311.pyc");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Path file = write("app/data", "content of something else");
        Files.createLink(upper.resolve("app/__pycache__/hard.cpython-311.pyc"), file);
        Files.createDirectory(upper.resolve("app/__pycache__/directory.cpython-311.pyc"));
        assertOnlyTheGoodOne();
    }

    @Test
    void leavesOutWhatIsEmptyOrTooLarge() throws IOException {
        write("app/__pycache__/empty.cpython-311.pyc", "");
        try (RandomAccessFile large = new RandomAccessFile(
                write("app/__pycache__/large.cpython-311.pyc", "x").toFile(), "rw")) {
            large.setLength(1L << 40);
        }
        assertOnlyTheGoodOne();
    }

    @Test
    void manyLargeFilesAreRefusedWithTheLimit() throws IOException {
        for (int i = 0; i < 5; i++) {
            try (RandomAccessFile large = new RandomAccessFile(
                    write("app/__pycache__/m" + i + ".cpython-311.pyc", "x").toFile(), "rw")) {
                large.setLength(LearntCaches.MAX_FILE_BYTES);
            }
        }
        assertThatThrownBy(() -> collected(LATER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(LearntCaches.MAX_BYTES + " bytes");
    }

    @Test
    void leavesOutPathsThatAreTooDeep() throws IOException {
        write("d/".repeat(70) + "__pycache__/deep.cpython-311.pyc", "deep");

        assertThat(collected(LATER)).containsExactly("/app/__pycache__/good.cpython-311.pyc");
    }
}
