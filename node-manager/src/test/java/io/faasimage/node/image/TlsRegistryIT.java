package io.faasimage.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.testing.RegistryServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of OCI registries against a real one with TLS, an authority of its own and a login. */
class TlsRegistryIT {
    private static final byte[] BLOB = "the layer".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private static Path directory;

    @TempDir
    private Path own;

    private static RegistryServer server;
    private static ImageReference image;

    @BeforeAll
    static void start() throws Exception {
        server = RegistryServer.startPrivate(directory, "localhost");
        image = ImageReference.parse(server.host() + "/team/image:1");
        server.pushBlob("team/image", BLOB);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static String login(String password) {
        return Base64.getEncoder()
                .encodeToString((RegistryServer.USER + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private RegistryCredentials credentials(String password) throws IOException {
        return new RegistryCredentials(Files.writeString(
                own.resolve("config.json"),
                "{\"auths\": {\"" + server.host() + "\": {\"auth\": \"" + login(password) + "\"}}}"));
    }

    private static String read(OciRegistry registry) throws IOException {
        try (var in = registry.blob(image, Digest.of(BLOB))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private OciRegistry trusting(String password) throws IOException {
        return new OciRegistry(
                credentials(password),
                Set.of(),
                Optional.of(TrustedAuthorities.with(server.certificate()).context()));
    }

    @Test
    void readsWithTheAuthorityAndTheLogin() throws IOException {
        try (OciRegistry registry = trusting(RegistryServer.PASSWORD)) {
            assertThat(read(registry)).isEqualTo("the layer");
            assertThat(read(registry)).isEqualTo("the layer");
        }
    }

    @Test
    void aWrongLoginIsRefusedWithARemedy() throws IOException {
        try (OciRegistry registry = trusting("wr0ng")) {
            assertThatThrownBy(() -> read(registry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("answered 401")
                    .hasMessageContaining("docker login " + server.host())
                    .hasMessageNotContaining("wr0ng");
        }
    }

    @Test
    void anUnknownAuthorityIsRefusedWithARemedy() throws IOException {
        try (OciRegistry registry = new OciRegistry(credentials(RegistryServer.PASSWORD), Set.of(), Optional.empty())) {
            assertThatThrownBy(() -> read(registry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("TLS failed")
                    .hasMessageContaining("--registry-ca FILE");
        }
    }
}
