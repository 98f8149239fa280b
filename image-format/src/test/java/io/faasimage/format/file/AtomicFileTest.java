package io.faasimage.format.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void aFileOfOneUserIsNeverReadableForOthers() throws IOException {
        Path file = directory.resolve("secret");
        AtomicFile.publishSynced(
                file,
                out -> out.write(bytes("s")),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
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
