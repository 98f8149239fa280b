package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.faasimage.api.trust.ClientCertificates;
import io.faasimage.api.trust.ClientCertificates.Pair;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.pem.Pem;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mirrors behind TLS, with certificates that nobody else trusts. */
@Timeout(60)
class TlsMirrorTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
    private static final Digest BLOB = Digest.of(CONTENT);
    private static final int TLS_HANDSHAKE = 22;

    @TempDir
    private static Path certificates;

    @TempDir
    private Path directory;

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer mirror;
    /** Of a registry that is down. */
    private int origin;

    private Path own;

    /** Nothing without a certificate that is trusted. */
    private record Strict() implements HostPolicy {
        @Override
        public List<Protocol> protocols(Host registry) {
            return List.of(Protocol.TLS);
        }

        @Override
        public String remedy(OciException.Kind kind, String registry) {
            return "";
        }
    }

    @BeforeAll
    static void makeCertificates() throws Exception {
        make("server", "san=ip:127.0.0.1");
        make("client", "eku=clientAuth");
    }

    /** A certificate of its own, its key, and both in one file. */
    private static void make(String name, String extension) throws Exception {
        Path store = certificates.resolve(name + ".p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Shell.run(
                        keytool,
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "secret",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "a",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        extension)
                .ok();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        String certificate = Pem.text(Pem.CERTIFICATE, keys.getCertificate("a").getEncoded());
        String key = Pem.text(
                Pem.PRIVATE_KEY, keys.getKey("a", "secret".toCharArray()).getEncoded());
        Files.writeString(certificates.resolve(name + ".crt"), certificate);
        Files.writeString(certificates.resolve(name + ".key"), key);
        Files.writeString(certificates.resolve(name + ".pem"), key + certificate);
    }

    @BeforeEach
    void start() throws IOException {
        mirror = secure(false);
        origin = Ports.free();
        own = Files.createDirectories(directory.resolve("127.0.0.1_" + origin + "_"));
    }

    private HttpServer secure(boolean clientsNeedCertificates) throws IOException {
        Pair files = new Pair(certificates.resolve("server.crt"), certificates.resolve("server.key"));
        SSLContext context = TrustedAuthorities.with(certificates.resolve("client.crt"))
                .context(ClientCertificates.read(List.of(files)));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters with = context.getDefaultSSLParameters();
                with.setNeedClientAuth(clientsNeedCertificates);
                parameters.setSSLParameters(with);
            }
        });
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                LoopbackServer.send(exchange, 200, CONTENT);
            }
        });
        server.start();
        return server;
    }

    @AfterEach
    void stop() {
        mirror.stop(0);
    }

    private String host() {
        return "127.0.0.1:" + mirror.getAddress().getPort();
    }

    private void hosts(String url, String settings) throws IOException {
        Files.writeString(own.resolve("hosts.toml"), "[host.'" + url + "']\n" + settings);
    }

    private byte[] read(String registry) throws IOException {
        OciRegistry.Options usual = OciRegistryTest.options(_ -> Optional.empty());
        try (OciRegistry client = new OciRegistry(new OciRegistry.Options(
                new Strict(),
                usual.logins(),
                usual.tls(),
                usual.answer(),
                usual.answer(),
                usual.rate(),
                1,
                new HostDirectories(List.of(directory), Optional.empty(), _ -> {})))) {
            return client.blob(ImageReference.parse(registry + "/a/b:c"), BLOB, 100);
        }
    }

    private byte[] read() throws IOException {
        return read("127.0.0.1:" + origin);
    }

    private void untrusted() {
        assertThatThrownBy(this::read).hasMessageContaining("(mirrors: " + host() + ": TLS failed");
        assertThat(requests).hasValue(0);
    }

    @Test
    void anAuthorityOfTheFileIsTrusted() throws IOException {
        hosts("https://" + host(), "");
        untrusted();
        Files.copy(certificates.resolve("server.crt"), own.resolve("ca.pem"));
        hosts("https://" + host(), "ca = 'ca.pem'");
        assertThat(read()).as("relative to the directory").isEqualTo(CONTENT);
        hosts("https://" + host(), "ca = ['" + certificates.resolve("client.crt") + "']");
        assertThatThrownBy(this::read).hasMessageContaining("TLS failed");
        hosts("https://" + host(), "ca = ['" + certificates.resolve("server.crt") + "']");
        assertThat(read()).isEqualTo(CONTENT);
        assertThat(requests).hasValue(2);
    }

    @Test
    void verificationIsSkippedWhereTheFileSaysSo() throws IOException {
        hosts("https://" + host(), "skip_verify = false");
        untrusted();
        hosts("https://" + host(), "skip_verify = true");
        assertThat(read()).isEqualTo(CONTENT);
    }

    /** As in containerd; the login stays at the mirror. */
    @Test
    void verificationIsSkippedWhereSuchAMirrorRedirects() throws IOException {
        mirror.removeContext("/");
        mirror.createContext("/v2/", exchange -> {
            try (exchange) {
                int port = mirror.getAddress().getPort();
                exchange.getResponseHeaders().set("Location", "https://localhost:" + port + "/signed");
                exchange.sendResponseHeaders(307, -1);
            }
        });
        mirror.createContext("/signed", exchange -> {
            try (exchange) {
                LoopbackServer.send(exchange, 200, CONTENT);
            }
        });
        hosts("https://" + host(), "skip_verify = true");
        assertThat(read()).isEqualTo(CONTENT);
        hosts("https://" + host(), "ca = '" + certificates.resolve("server.crt") + "'");
        assertThatThrownBy(this::read).hasMessageContaining("localhost").hasMessageContaining("TLS failed");
    }

    @Test
    void tlsIsTriedBeforePlainHttpWhereItIsConfigured() throws IOException {
        hosts("http://" + host(), "skip_verify = true");
        assertThat(read()).isEqualTo(CONTENT);
        assertThat(requests).hasValue(1);
        try (ServerSocket plain = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> servePlain(plain));
            hosts("http://127.0.0.1:" + plain.getLocalPort(), "skip_verify = true");
            assertThat(read()).as("without TLS").isEqualTo(CONTENT);
        }
    }

    /** As servers in Go do, which answer a TLS handshake at once. */
    private static void servePlain(ServerSocket plain) {
        while (!plain.isClosed()) {
            try (Socket client = plain.accept()) {
                boolean tls = client.getInputStream().read() == TLS_HANDSHAKE;
                String head = tls ? "HTTP/1.0 400 Bad Request\r\n\r\n" : "HTTP/1.0 200 OK\r\n\r\ncontent";
                client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // The client has ended, or the test.
                continue;
            }
        }
    }

    @Test
    void aCertificateIsPresented() throws IOException {
        mirror.stop(0);
        mirror = secure(true);
        String ca = "ca = '" + certificates.resolve("server.crt") + "'\n";
        hosts("https://" + host(), ca);
        assertThatThrownBy(this::read).hasMessageContaining("mirrors: " + host());
        assertThat(requests).hasValue(0);
        String file = "'" + certificates.resolve("client.pem") + "'";
        String pair = "['" + certificates.resolve("client.crt") + "', '" + certificates.resolve("client.key") + "']";
        for (String client : List.of(file, "[" + file + "]", "[" + pair + "]", "[[" + file + ", '']]")) {
            hosts("https://" + host(), ca + "client = " + client);
            assertThat(read()).as(client).isEqualTo(CONTENT);
            hosts("https://" + host(), "skip_verify = true\nclient = " + client);
            assertThat(read()).as(client).isEqualTo(CONTENT);
        }
    }

    @Test
    void theDirectoryOfDockerHasCertificatesOfTheRegistryItself() throws IOException {
        mirror.stop(0);
        mirror = secure(true);
        Path docker = Files.createDirectories(directory.resolve(host()));
        Files.copy(certificates.resolve("server.crt"), docker.resolve("ca.crt"));
        assertThatThrownBy(() -> read(host())).isInstanceOf(OciException.class);
        assertThat(requests).hasValue(0);
        Files.copy(certificates.resolve("client.crt"), docker.resolve("x.cert"));
        Files.copy(certificates.resolve("client.key"), docker.resolve("x.key"));
        assertThat(read(host())).isEqualTo(CONTENT);
    }
}
