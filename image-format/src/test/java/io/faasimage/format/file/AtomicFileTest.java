package io.faasimage.format.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicFileTest {
    @TempDir
    private Path directory;

    @Test
    void aReaderSeesTheOldContentUntilTheNewOneIsWhole() throws IOException {
        Path file = directory.resolve("file");
        AtomicFile.publish(file, out -> out.write(bytes("old")));
        AtomicFile.publishSynced(file, out -> {
            out.write(bytes("new"));
            out.flush();
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasContent("new");
        assertThat(directory).isDirectoryContaining(file::equals).isDirectoryNotContaining("glob:**/.tmp*");
    }

    @Test
    void aFailureLeavesWhatWasThere() throws IOException {
        Path file = directory.resolve("file");
        AtomicFile.publish(file, out -> out.write(bytes("old")));
        assertThatThrownBy(() -> AtomicFile.publish(file, out -> {
                    out.write(bytes("half"));
                    throw new IOException("no space");
                }))
                .hasMessage("no space");
        assertThat(file).hasContent("old");
        assertThat(directory.toFile().list()).containsExactly("file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-rw-rw-"})
    void theFileHasThePermissionsThatAreGivenWhateverTheUmask(String permissions) throws IOException {
        Path file = directory.resolve("file");
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
        AtomicFile.publishSynced(
                file, out -> out.write(bytes("content")), PosixFilePermissions.asFileAttribute(wanted));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(wanted);
    }

    @Test
    void aFileOfOneUserIsNeverReadableForOthers() throws IOException {
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString("rw-------");
        AtomicFile.publishSynced(
                directory.resolve("secret"),
                out -> {
                    try (Stream<Path> files = Files.list(directory)) {
                        assertThat(Files.getPosixFilePermissions(
                                        files.findFirst().orElseThrow()))
                                .isEqualTo(wanted);
                    }
                },
                PosixFilePermissions.asFileAttribute(wanted));
    }

    @Test
    void whatACrashLeftIsSwept() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "whole");
        Files.writeString(directory.resolve(".tmp-1234"), "half");
        AtomicFile.sweep(directory);
        assertThat(directory.toFile().list()).containsExactly(file.getFileName().toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
