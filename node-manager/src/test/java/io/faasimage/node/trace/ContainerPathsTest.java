package io.faasimage.node.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerPathsTest {
    @Test
    void lowerDirectoriesOfOrdinaryLayers() {
        assertThat(ContainerPaths.lowerDirectories(List.of("workdir=/w", "lowerdir=/a:/b c:/d", "index=off")))
                .containsExactly("/a", "/b c", "/d");
    }

    @Test
    void dataOnlyLayersAreLeftOut() {
        assertThat(ContainerPaths.lowerDirectories(List.of("lowerdir=/meta::/objects::/gate")))
                .containsExactly("/meta");
    }

    @Test
    void aProtectedColonIsPartOfTheName() {
        assertThat(ContainerPaths.lowerDirectories(List.of("lowerdir=/a\\:1:/b\\\\2")))
                .containsExactly("/a:1", "/b\\2");
    }

    @Test
    void withoutLayers() {
        assertThat(ContainerPaths.lowerDirectories(List.of("ro"))).isEmpty();
    }
}
