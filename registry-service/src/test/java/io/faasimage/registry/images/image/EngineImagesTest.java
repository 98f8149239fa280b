package io.faasimage.registry.images.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Host;
import io.faasimage.oci.HostRules;
import io.faasimage.registry.platform.config.BudgetSettings;
import io.faasimage.registry.platform.config.ImageRegistrySettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.DirectoryBlobs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Image registries that do not answer. */
class EngineImagesTest {
    private static EngineImages images(BlobStore blobs, Map<String, String> settings) {
        Binder binder = new Binder(new MapConfigurationPropertySource(settings));
        RegistrySettings registry = binder.bindOrCreate("faasimage", RegistrySettings.class);
        return new EngineImages(
                registry,
                binder.bindOrCreate("faasimage", ImageRegistrySettings.class),
                binder.bindOrCreate("faasimage.budget", BudgetSettings.class),
                new LayerIndexes(blobs, (_, _) -> true),
                new VerifyCommand(registry));
    }

    @Test
    @Timeout(15)
    void aRegistryThatDoesNotAnswerIsNamedBeforeTheClientGivesUp(@TempDir Path data) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BlobStore blobs = new DirectoryBlobs(data)) {
            String host = "127.0.0.1:" + silent.getLocalPort();
            EngineImages images = images(blobs, Map.of("faasimage.resolve-limit", "1s"));
            assertThatThrownBy(() -> images.resolve(host + "/no/such/image:1"))
                    .isInstanceOfSatisfying(
                            ProblemException.class, e -> assertThat(e.kind()).isEqualTo(ProblemKind.IMAGE_SOURCE))
                    .hasMessageContainingAll("the image registry " + host + " did not answer within 1 s");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            faasimage.allowed-registries    | docker.io,*.example.com | 127.0.0.1:1/a:1       | --faasimage.allowed-registries
            faasimage.allowed-registries    | example.com:5000        | example.com/a:1       | --faasimage.allowed-registries
            faasimage.refused-addresses     | loopback                | 127.0.0.1:1/a:1       | --faasimage.internal-registries=127.0.0.1
            faasimage.refused-addresses     | loopback                | localhost:1/a:1       | a loopback address
            faasimage.refused-addresses     | private                 | 10.1.2.3/a:1          | a private address
            faasimage.resolve-limit         | 20s                     | 169.254.169.254/a:1   | a link-local address
            """)
    void aRegistryThatTheOperatorDoesNotAllowIsRefusedWithTheNameOfTheOption(
            String setting, String value, String reference, String said, @TempDir Path data) throws Exception {
        try (BlobStore blobs = new DirectoryBlobs(data)) {
            assertThatThrownBy(() -> images(blobs, Map.of(setting, value)).resolve(reference))
                    .isInstanceOfSatisfying(
                            ProblemException.class, e -> assertThat(e.kind()).isEqualTo(ProblemKind.BAD_REQUEST))
                    .hasMessageContaining(said);
        }
    }

    @Test
    void insecureRegistriesAreNamed() {
        assertThatThrownBy(() -> rules(Map.of("faasimage.allowed-registries", "http://example.com/")))
                .rootCause()
                .hasMessageContaining("faasimage.allowed-registries: 'http://example.com/' is not the name of a host");
        HostRules rules = rules(Map.of("faasimage.insecure-registries", "registry.local:5000"));
        Host named = Host.parse("registry.local:5000");
        assertThat(rules.isUnverified(named, named)).isTrue();
        Host other = Host.parse("registry.local");
        assertThat(rules.isUnverified(other, other)).isFalse();
    }

    private static HostRules rules(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("faasimage", ImageRegistrySettings.class)
                .rules();
    }
}
