package io.faasimage.docker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of images, by their names and numbers. */
final class ProcessUserTest {
    @TempDir
    private Path root;

    @BeforeEach
    void writeFiles() throws IOException {
        Path etc = Files.createDirectory(root.resolve("etc"));
        Files.writeString(
                etc.resolve("passwd"), "root:x:0:0:root:/:/bin/sh\nnode:x:1000:1001::/home/node:/bin/sh\nx\n");
        Files.writeString(etc.resolve("group"), "root:x:0:\nnode:x:1001:\naudio:x:29:me,node\n");
    }

    @Test
    void aNameHasItsGroups() throws IOException {
        assertThat(ProcessUser.find("node", root)).isEqualTo(new ProcessUser(1000, 1001, List.of(29L)));
        assertThat(ProcessUser.find("1000", root)).isEqualTo(new ProcessUser(1000, 1001, List.of(29L)));
    }

    @Test
    void aGroupAfterAColonIsTheOnlyOne() throws IOException {
        assertThat(ProcessUser.find("node:audio", root)).isEqualTo(new ProcessUser(1000, 29, List.of()));
        assertThat(ProcessUser.find("1234:5678", root)).isEqualTo(new ProcessUser(1234, 5678, List.of()));
    }

    @Test
    void anUnknownNumberIsItself() throws IOException {
        assertThat(ProcessUser.find("1234", root)).isEqualTo(new ProcessUser(1234, 0, List.of()));
    }

    @Test
    void anUnknownNameIsRefused() {
        assertThatIOException()
                .isThrownBy(() -> ProcessUser.find("nobody", root))
                .withMessageContaining("unable to find user nobody");
    }

    @Test
    void theHostsFilesAreNotFollowed() throws IOException {
        Path passwd = root.resolve("etc/passwd");
        Files.delete(passwd);
        Files.createSymbolicLink(passwd, Path.of("/etc/passwd"));
        assertThatIOException().isThrownBy(() -> ProcessUser.find("node", root)).withMessageContaining("by numbers");
    }
}
