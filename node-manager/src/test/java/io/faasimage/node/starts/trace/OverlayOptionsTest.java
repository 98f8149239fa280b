package io.faasimage.node.starts.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayOptionsTest {
    @Test
    void lowerDirectoriesOfOrdinaryLayers() {
        assertThat(OverlayOptions.lowerDirectories(List.of("workdir=/w", "lowerdir=/a:/b c:/d", "index=off")))
                .containsExactly("/a", "/b c", "/d");
    }

    @Test
    void dataOnlyLayersAreLeftOut() {
        assertThat(OverlayOptions.lowerDirectories(List.of("lowerdir=/meta::/objects::/gate")))
                .containsExactly("/meta");
    }

    @Test
    void aProtectedColonIsPartOfTheName() {
        assertThat(OverlayOptions.lowerDirectories(List.of("lowerdir=/a\\:1:/b\\\\2")))
                .containsExactly("/a:1", "/b\\2");
    }

    @Test
    void dataLayersComeBeforeTheOthers() {
        assertThat(OverlayOptions.withDataLayers(
                        List.of("ro", "lowerdir=/a\\:1:/meta::/objects::/gate", "metacopy=on"),
                        List.of(Path.of("/new"), Path.of("/other"))))
                .contains(List.of("ro", "lowerdir=/a\\:1:/meta::/new::/other::/objects::/gate", "metacopy=on"));
        assertThat(OverlayOptions.withDataLayers(List.of("lowerdir=/a:/b"), List.of(Path.of("/new"))))
                .isEmpty();
        assertThat(OverlayOptions.withDataLayers(List.of("ro"), List.of(Path.of("/new"))))
                .isEmpty();
    }

    @Test
    void withoutLayers() {
        assertThat(OverlayOptions.lowerDirectories(List.of("ro"))).isEmpty();
    }
}
