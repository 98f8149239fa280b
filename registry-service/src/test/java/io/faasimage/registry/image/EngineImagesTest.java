package io.faasimage.registry.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.DirectoryBlobs;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Image registries that do not answer. */
class EngineImagesTest {
    private static EngineImages images(String limit, BlobStore blobs) {
        return new EngineImages(
                new Binder(new MapConfigurationPropertySource(Map.of("faasimage.resolve-limit", limit)))
                        .bindOrCreate("faasimage", RegistrySettings.class),
                new LayerIndexes(blobs, (_, _) -> true));
    }

    @Test
    @Timeout(15)
    void aRegistryThatDoesNotAnswerIsNamedBeforeTheClientGivesUp(@TempDir Path data) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BlobStore blobs = new DirectoryBlobs(data)) {
            String host = "127.0.0.1:" + silent.getLocalPort();
            EngineImages images = images("1s", blobs);
            assertThatThrownBy(() -> images.resolve(host + "/no/such/image:1"))
                    .isInstanceOfSatisfying(
                            ProblemException.class, e -> assertThat(e.kind()).isEqualTo(ProblemKind.IMAGE_SOURCE))
                    .hasMessageContainingAll("the image registry " + host + " did not answer within 1 s");
        }
    }
}
