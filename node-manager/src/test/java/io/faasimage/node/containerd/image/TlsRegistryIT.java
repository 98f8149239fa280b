package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.MinimumRate;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.DockerLogins;
import io.faasimage.oci.HostPolicy;
import io.faasimage.oci.Mirrors;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.UserHosts;
import io.faasimage.testing.RegistryServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
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

    private DockerLogins credentials(String password) throws IOException {
        return new DockerLogins(Files.writeString(
                own.resolve("config.json"),
                "{\"auths\": {\"" + server.host() + "\": {\"auth\": \"" + login(password) + "\"}}}"));
    }

    private static String read(OciRegistry registry) throws IOException {
        try (var in = registry.open(image, Digest.of(BLOB))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Optional<SSLContext> authority() throws IOException {
        return Optional.of(TrustedAuthorities.with(server.certificate()).context());
    }

    private OciRegistry trusting(String password) throws IOException {
        return registry(new UserHosts(Set.of(), "faasimage-node"), password, authority());
    }

    private OciRegistry registry(HostPolicy policy, String password, Optional<SSLContext> tls) throws IOException {
        Duration limit = Duration.ofSeconds(20);
        return new OciRegistry(new OciRegistry.Options(
                policy, credentials(password), tls, limit, limit, MinimumRate.STANDARD, 1, Mirrors.NONE));
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
        try (OciRegistry registry =
                registry(new UserHosts(Set.of(), "faasimage-node"), RegistryServer.PASSWORD, Optional.empty())) {
            assertThatThrownBy(() -> read(registry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("TLS failed")
                    .hasMessageContaining("--registry-ca FILE");
        }
    }

    /** A proxy that connects; it ends with its socket. */
    private static void tunnel(ServerSocket proxy, List<String> heads) {
        try (Socket client = proxy.accept()) {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) client.getInputStream().read());
            }
            heads.add(head.substring(0, head.indexOf("\r\n")));
            client.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Host to = Host.parse(server.host());
            try (Socket target = new Socket(to.name(), to.port())) {
                Thread.ofVirtual().start(() -> pass(target, client));
                pass(client, target);
            }
        } catch (IOException e) {
            // The client got enough.
            return;
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The other side is gone.
            return;
        }
    }

    @Test
    void readsThroughAProxy() throws Exception {
        ProxySelector usual = ProxySelector.getDefault();
        List<String> heads = new CopyOnWriteArrayList<>();
        HostPolicy secure = new HostPolicy() {
            @Override
            public List<Protocol> protocols(Host registry) {
                return List.of(Protocol.TLS);
            }

            @Override
            public String remedy(OciException.Kind kind, String registry) {
                return "";
            }
        };
        try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                OciRegistry registry = registry(secure, RegistryServer.PASSWORD, authority())) {
            Thread.ofVirtual().start(() -> tunnel(proxy, heads));
            ProxySelector.setDefault(ProxySelector.of((InetSocketAddress) proxy.getLocalSocketAddress()));
            assertThat(read(registry)).isEqualTo("the layer");
        } finally {
            ProxySelector.setDefault(usual);
        }
        assertThat(heads).containsExactly("CONNECT " + server.host() + " HTTP/1.1");
    }
}
