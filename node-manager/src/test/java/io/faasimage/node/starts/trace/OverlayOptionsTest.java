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
    void aDataLayerComesBeforeTheOthers() {
        assertThat(OverlayOptions.withDataLayer(
                        List.of("ro", "lowerdir=/a\\:1:/meta::/objects::/gate", "metacopy=on"), Path.of("/new")))
                .contains(List.of("ro", "lowerdir=/a\\:1:/meta::/new::/objects::/gate", "metacopy=on"));
        assertThat(OverlayOptions.withDataLayer(List.of("lowerdir=/a:/b"), Path.of("/new")))
                .isEmpty();
        assertThat(OverlayOptions.withDataLayer(List.of("ro"), Path.of("/new"))).isEmpty();
    }

    @Test
    void withoutLayers() {
        assertThat(OverlayOptions.lowerDirectories(List.of("ro"))).isEmpty();
    }
}
