package io.faasimage.cli.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.cli.containerd.Containerd.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SnapshotterTest {
    private static final Snapshotter USUAL = new Snapshotter(
            "faasimage", Path.of("/run/faasimage/snapshotter.sock"), Path.of("/var/lib/faasimage"), false);

    private static String dropIn(Snapshotter snapshotter, int major, int minor) throws IOException {
        return snapshotter.dropIn(new Version(major, minor), Containerd.parse("", "nothing"), Optional.empty());
    }

    @Test
    void containerd2LearnsWhichFileSystemImagesTakeTheirSpaceFrom() throws IOException {
        JsonNode plugin = Containerd.parse(dropIn(USUAL, 2, 0), "drop-in")
                .path("proxy_plugins")
                .path("faasimage");
        assertThat(plugin.path("exports").path("root").asString("")).isEqualTo("/var/lib/faasimage");
        assertThat(plugin.has("capabilities")).isFalse();
        assertThat(dropIn(USUAL, 1, 6)).doesNotContain("exports");
    }

    @Test
    void idsAreLeftToItWhenThatIsAskedFor() throws IOException {
        Snapshotter mapping = new Snapshotter(USUAL.name(), USUAL.socket(), USUAL.root(), true);
        assertThat(Containerd.parse(dropIn(mapping, 2, 1), "drop-in")
                        .path("proxy_plugins")
                        .path("faasimage")
                        .path("capabilities")
                        .valueStream()
                        .map(c -> c.asString("")))
                .containsExactly("remap-ids");
        assertThat(dropIn(mapping, 1, 7)).doesNotContain("remap-ids");
    }

    @Test
    void aDropInThatIsWrittenAgainKeepsContainerdsOwnChoice() throws IOException {
        String first = dropIn(USUAL, 2, 1);
        JsonNode with = Containerd.parse(first, "drop-in");
        assertThat(USUAL.dropIn(new Version(2, 1), with, Optional.of(first))).isEqualTo(first);
        assertThat(USUAL.dropIn(new Version(2, 1), with, Optional.empty())).doesNotContain("overlayfs");
    }

    @Test
    void whatCannotBeInAConfigurationFileIsRefused() {
        assertThatThrownBy(() -> new Snapshotter("faasimage", USUAL.socket(), Path.of("/a\"b"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("state directory");
    }
}
