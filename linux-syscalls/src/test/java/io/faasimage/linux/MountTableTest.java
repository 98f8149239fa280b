package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final String TEXT = """
            22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
            30 22 0:30 /sub /mnt/a\\040b\\134c rw,nosuid shared:3 master:1 - overlay over\\040lay rw,lowerdir=/x:/y
            31 22 0:31 / /mnt rw - tmpfs none rw
            32 31 0:32 / /mnt rw - tmpfs second rw
            """;

    @Test
    void fieldsAreReadAndEscapesUndone() throws IOException {
        MountTable.Entry entry = MountTable.parse(TEXT).entries().get(1);
        assertThat(entry.id()).isEqualTo(30);
        assertThat(entry.parent()).isEqualTo(22);
        assertThat(entry.target()).isEqualTo("/mnt/a b\\c");
        assertThat(entry.root()).isEqualTo("/sub");
        assertThat(entry.type()).isEqualTo("overlay");
        assertThat(entry.source()).isEqualTo("over lay");
        assertThat(entry.superOptions()).isEqualTo("rw,lowerdir=/x:/y");
    }

    @Test
    void theTopmostMountOfATargetIsFound() throws IOException {
        MountTable table = MountTable.parse(TEXT);
        assertThat(table.at(Path.of("/mnt"))).map(MountTable.Entry::source).contains("second");
        assertThat(table.at(Path.of("/mnt/none"))).isEmpty();
    }

    @Test
    void mountsBelowADirectoryComeInUnmountOrder() throws IOException {
        assertThat(MountTable.parse(TEXT).below(Path.of("/mnt")))
                .extracting(MountTable.Entry::id)
                .containsExactly(32, 31, 30);
    }

    @Test
    void aMalformedLineIsShown() {
        assertThatThrownBy(() -> MountTable.parse("22 1 254:0 / /\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("22 1 254:0 / /");
    }

    @Test
    void theOwnTableHasARoot() throws IOException {
        assertThat(MountTable.read().at(Path.of("/"))).isPresent();
    }
}
