package io.faasimage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.Mounts;
import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store with other processes and with a full disk. Needs root for the latter. */
@Timeout(300)
final class ObjectStoreIT {
    /** Does not fit, and that is found out where another thread writes already. */
    private static final int LARGE = 12 << 20;

    @TempDir
    Path root;

    @Test
    void twoProcessesThatPublishTheSameObjectsPublishEachOnce() throws Exception {
        int count = 100;
        Process first = start("first", count);
        Process second = start("second", count);
        try (BufferedReader firstLines = first.inputReader();
                BufferedReader secondLines = second.inputReader()) {
            begin(first, firstLines);
            begin(second, secondLines);
            List<String> said =
                    Stream.concat(firstLines.lines(), secondLines.lines()).toList();
            assertThat(first.waitFor()).isZero();
            assertThat(second.waitFor()).isZero();
            assertThat(said).hasSize(2 * count);
            assertThat(said.stream().filter("PUBLISHED"::equals)).hasSize(count);
        } finally {
            first.destroyForcibly().waitFor();
            second.destroyForcibly().waitFor();
        }
        assertWhole(count);
    }

    @Test
    void aFullDiskIsSaidAndLeavesNothing() throws Exception {
        Mounts.mount("none", root, "tmpfs", 0, "size=5m");
        try (ObjectStore store = ObjectStore.open(root, "test")) {
            byte[] large = new byte[LARGE];
            assertFull(() -> store.publish(Digest.of(large), large.length, new ByteArrayInputStream(large)));
            assertFull(() -> store.publish(Digest.of(large), ByteBuffer.wrap(large)));
            assertThat(store.has(Digest.of(large))).isFalse();
            assertThat(root.resolve("incoming/test")).isEmptyDirectory();
            byte[] small = {1, 2, 3};
            assertThat(store.publish(Digest.of(small), ByteBuffer.wrap(small))).isEqualTo(Publication.PUBLISHED);
        } finally {
            Mounts.detach(root);
        }
    }

    private void assertFull(org.assertj.core.api.ThrowableAssert.ThrowingCallable publishing) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(publishing)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FULL))
                .withMessageContaining(root.toString())
                .withMessageContaining("free space");
    }

    private void assertWhole(int expected) throws IOException {
        int count = 0;
        try (Stream<Path> files = Files.walk(root.resolve("objects")).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                Digest actual = Digest.of(Files.readAllBytes(file));
                assertThat(file).isEqualTo(root.resolve("objects").resolve(actual.objectPath()));
                count++;
            }
        }
        assertThat(count).isEqualTo(expected);
    }

    private static void begin(Process writer, BufferedReader lines) throws IOException {
        assertThat(lines.readLine()).isEqualTo("ready");
        try (OutputStream in = writer.getOutputStream()) {
            in.write('\n');
        }
    }

    private Process start(String name, int count) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WriterProcess.class.getName(),
                        root.toString(),
                        name,
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
