package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the calls that any user may make. */
class WithoutRootTest {
    @TempDir
    Path directory;

    @Test
    void everySymbolIsThere() {
        assertThat(Libc.problem()).isEmpty();
    }

    @Test
    void failuresNameCallErrnoAndPath() {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> FileSystems.syncfs(missing))
                .withMessageContaining("open of " + missing)
                .withMessageContaining("ENOENT")
                .satisfies(e -> {
                    assertThat(e.errno()).isEqualTo(2);
                    assertThat(e.call()).isEqualTo("open");
                    assertThat(e.path()).isEqualTo(missing.toString());
                    assertThat(e.is(Errno.ENOENT)).isTrue();
                });
    }

    @Test
    void syncAndSpace() throws IOException {
        FileSystems.syncfs(directory);
        FileSystems.Space space = FileSystems.space(directory);
        assertThat(space.totalBytes()).isEqualTo(Files.getFileStore(directory).getTotalSpace());
        assertThat(space.availableBytes()).isBetween(0L, space.freeBytes());
    }

    @Test
    void attributesOfANameThatIsNotText() throws IOException {
        Path file = Files.write(directory.resolve("ä b"), new byte[3]);
        byte[] path = PathBytes.of(file);
        ExtendedAttributes.set(path, "user.empty", new byte[0]);
        ExtendedAttributes.set(path, "user.some", "value".getBytes(StandardCharsets.US_ASCII));
        assertThat(ExtendedAttributes.getOfLink(path, "user.empty")).contains(new byte[0]);
        assertThat(ExtendedAttributes.getOfLink(path, "user.some").orElseThrow())
                .asString()
                .isEqualTo("value");
        assertThat(ExtendedAttributes.getOfLink(path, "user.none")).isEmpty();
    }

    @Test
    void statusOfAFileAndOfALink() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[5]);
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        FileStatus status = FileStatus.of(PathBytes.of(file), false).orElseThrow();
        assertThat(status.isRegular()).isTrue();
        assertThat(status.size()).isEqualTo(5);
        assertThat(status.links()).isEqualTo(1);
        assertThat(status.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(FileStatus.of(PathBytes.of(link), true).orElseThrow().sameFile(status))
                .isTrue();
        assertThat(FileStatus.of(PathBytes.of(link), false).orElseThrow().isRegular())
                .isFalse();
        assertThat(FileStatus.of(PathBytes.of(directory.resolve("none")), false))
                .isEmpty();
    }

    @Test
    void kernelVersionsCompareByNumber() throws IOException {
        assertThat(KernelVersion.parse("6.18.4-amd64").atLeast(KernelVersion.DATA_ONLY_LAYERS))
                .isTrue();
        assertThat(KernelVersion.parse("6.4").atLeast(KernelVersion.DATA_ONLY_LAYERS))
                .isFalse();
        assertThat(KernelVersion.parse("10.0-rc1").atLeast(KernelVersion.EROFS_FROM_FILE))
                .isTrue();
        assertThat(KernelVersion.running().major()).isGreaterThan(3);
        assertThatThrownBy(() -> KernelVersion.parse("six")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void optionsLongerThanTheKernelReadsAreRefused() {
        assertThatThrownBy(() -> Mounts.mount("overlay", directory, "overlay", 0, "x".repeat(4096)))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("4096 bytes");
    }

    @Test
    void aStringWithANulByteIsRefused() {
        assertThatThrownBy(() -> FileStatus.of(new byte[] {'/', 0, 'x'}, true))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
