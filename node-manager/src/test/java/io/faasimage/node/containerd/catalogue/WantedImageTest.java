package io.faasimage.node.containerd.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.faasimage.api.function.CatalogueImage;
import io.faasimage.format.id.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

class WantedImageTest {
    private static final String NEW = Digest.of(new byte[] {1}).toString();
    private static final String OLD = Digest.of(new byte[] {2}).toString();

    @Test
    void aNameStandsForItsNewestRegistrationAndFilesOfTheServiceAreLeftOut() {
        assertThat(WantedImage.of(List.of(
                                new CatalogueImage("hello:1", NEW),
                                new CatalogueImage("oci:/srv/image", NEW),
                                new CatalogueImage("docker.io/library/hello:1", OLD),
                                new CatalogueImage("r.test/other:2", OLD)))
                        .values())
                .extracting(WantedImage::name, image -> image.manifest().toString())
                .containsExactly(tuple("docker.io/library/hello:1", NEW), tuple("r.test/other:2", OLD));
    }
}
