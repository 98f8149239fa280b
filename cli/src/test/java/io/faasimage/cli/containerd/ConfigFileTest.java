package io.faasimage.cli.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigFileTest {
    private static final Path PATH = Path.of("/etc/containerd/config.toml");
    private static final String PATTERN = "/etc/containerd/conf.d/faasimage.toml";

    private static ConfigFile file(String text) {
        return new ConfigFile(PATH, Optional.of(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version = 2\n",
                "version = 2\nimports = []\n",
                "  imports=['/a/*.toml', \"b.toml\"] # some\nversion = 2\n",
                "imports = [\n  \"/a.toml\",\n]\n[grpc]\n  address = \"/x\"\n",
                "[plugins.x]\n  imports = [\"not these\"]\n",
                "# größe\r\nversion = 3\r\n[grpc]\r\n",
            })
    void anImportIsAddedAndTakenAwayWithoutATrace(String text) throws IOException {
        ConfigFile file = file(text);
        List<String> old = file.imports().orElse(List.of());

        String with = file.with(PATTERN, 2);

        assertThat(file(with).imports().orElseThrow())
                .contains(PATTERN)
                .containsAll(old)
                .hasSize(old.size() + 1);
        assertThat(file(with).without(PATTERN, false)).contains(text);
    }

    @Test
    void aFileThatWasNotThereGoesAgain() throws IOException {
        ConfigFile none = new ConfigFile(PATH, Optional.empty());
        String with = none.with(PATTERN, 3);

        assertThat(with).contains("version = 3");
        assertThat(file(with).without(PATTERN, true)).isEmpty();
        assertThat(file(with).without(PATTERN, false)).contains("version = 3\n");
    }

    @Test
    void whatIsNotUnderstoodIsLeftAlone() {
        assertThatThrownBy(() -> file("imports = [").with(PATTERN, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not TOML");
        // The first match is inside of a text.
        String hidden = "a = '''\nimports = [\n'''\nimports = []\n";
        assertThatThrownBy(() -> file(hidden).with(PATTERN, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("by hand");
    }

    @Test
    void patternsAreSeenFromTheFile() {
        ConfigFile file = file("");
        Path dropIn = Path.of(PATTERN);
        assertThat(file.takesIn(List.of("/etc/containerd/conf.d/*.toml"), dropIn))
                .isTrue();
        assertThat(file.takesIn(List.of("conf.d/*.toml"), dropIn)).isTrue();
        assertThat(file.takesIn(List.of("/etc/containerd/*.toml", "", "other/*"), dropIn))
                .isFalse();
    }

    @Test
    void namesAndSocketsCannotCarryToml() {
        assertThatThrownBy(() -> new Snapshotter("a\"]", Path.of("/run/x"), Path.of("/r"), false))
                .hasMessageContaining("name");
        assertThatThrownBy(() -> new Snapshotter("a", Path.of("/run/x\"\n[a]"), Path.of("/r"), false))
                .hasMessageContaining("socket");
        assertThatThrownBy(() -> new Snapshotter("a", Path.of("run/x"), Path.of("/r"), false))
                .hasMessageContaining("absolute");
    }
}
