package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImageSourcesTest {
    private static final Digest MANIFEST = Digest.of(new byte[] {1});

    @Test
    void labelsNameRepositories() {
        assertThat(ImageSources.labelled(
                        Map.of("containerd.io/distribution.source.registry.example.org", "one,team/two", "other", "x"),
                        MANIFEST))
                .containsExactly(
                        ImageReference.parse("registry.example.org/one@" + MANIFEST),
                        ImageReference.parse("registry.example.org/team/two@" + MANIFEST));
        assertThat(ImageSources.labelled(
                        Map.of("containerd.io/distribution.source.docker.io", "library/python"), MANIFEST))
                .containsExactly(ImageReference.parse("docker.io/library/python@" + MANIFEST));
    }

    @Test
    void labelsThatNameNoRepositoryArePassedOver() {
        assertThat(ImageSources.labelled(
                        Map.of(
                                "containerd.io/distribution.source.", "one",
                                "containerd.io/distribution.source.host", "../up,,UPPER, ok/it "),
                        MANIFEST))
                .isEmpty();
    }
}
