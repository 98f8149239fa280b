package io.faasimage.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A real OCI registry, the docker-registry program, on a directory. */
public final class RegistryServer implements Closeable {
    /** Of the one user of a private registry. */
    public static final String USER = "alice";

    /** Of the one user of a private registry. */
    public static final String PASSWORD = "s3cret:with colon";

    /** The password's bcrypt, as htpasswd makes it. */
    private static final String HASH = "$2y$05$abcdefghijklmnopqrstuuOb/B27OpVc3Bt3QXIepIr2DUn/DCZNi";

    private static final Duration START = Duration.ofSeconds(60);

    private final URI base;
    private final Path directory;
    private final Daemon daemon;
    private final HttpClient http;

    private RegistryServer(URI base, Path directory, Daemon daemon, HttpClient http) {
        this.base = base;
        this.directory = directory;
        this.daemon = daemon;
        this.http = http;
    }

    /** Starts one that speaks plain HTTP at a port of the loopback address. */
    public static RegistryServer start(Path directory) throws IOException, InterruptedException {
        return start(directory, "127.0.0.1:" + Ports.free());
    }

    /** Starts one that speaks plain HTTP at an address and a port. */
    public static RegistryServer start(Path directory, String host) throws IOException, InterruptedException {
        String config = "http: {addr: '%s'}\n".formatted(host);
        return serve(URI.create("http://" + host), directory, host, config, HttpClient.newHttpClient());
    }

    /** Starts a cache in front of {@code remote}, which keeps what is read through it. */
    public static RegistryServer startProxy(Path directory, RegistryServer remote)
            throws IOException, InterruptedException {
        String host = "127.0.0.1:" + Ports.free();
        String config = "proxy: {remoteurl: '%s'}\nhttp: {addr: '%s'}\n".formatted(remote.base, host);
        return serve(URI.create("http://" + host), directory, host, config, HttpClient.newHttpClient());
    }

    /**
     * Starts one behind TLS that requires a login. Its certificate is of an authority of its own.
     *
     * @param name under which clients reach it: {@code localhost} or an address of this machine
     */
    public static RegistryServer startPrivate(Path directory, String name) throws IOException, InterruptedException {
        boolean named = name.equals("localhost");
        String key = directory.resolve("key.pem").toString();
        Path certificate = directory.resolve("ca.crt");
        List<String> openssl = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"));
        openssl.addAll(List.of("-days", "2", "-subj", "/CN=" + name));
        openssl.addAll(List.of("-addext", "subjectAltName=" + (named ? "DNS:" : "IP:") + name));
        openssl.addAll(List.of("-keyout", key, "-out", certificate.toString()));
        Shell.run(Map.of(), openssl).ok();
        Path users = Files.writeString(directory.resolve("htpasswd"), USER + ":" + HASH + "\n");
        int port = Ports.free();
        String address = (named ? "127.0.0.1" : name) + ":" + port;
        String config = """
                auth: {htpasswd: {realm: test, path: %s}}
                http: {addr: '%s', tls: {certificate: %s, key: %s}}
                """.formatted(users, address, certificate, key);
        return serve(URI.create("https://" + name + ":" + port), directory, address, config, trusting(certificate));
    }

    private static HttpClient trusting(Path certificate) throws IOException {
        try (InputStream pem = Files.newInputStream(certificate)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "registry", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(tls).build();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static RegistryServer serve(URI base, Path directory, String address, String config, HttpClient http)
            throws IOException, InterruptedException {
        Path file = Files.writeString(
                Files.createDirectories(directory).resolve("registry.yml"),
                "version: 0.1\nstorage: {filesystem: {rootdirectory: %s/data}, delete: {enabled: true}}\n%s"
                        .formatted(directory, config));
        Daemon daemon = Daemon.start(
                "OCI registry",
                directory.resolve("registry.log"),
                Map.of("OTEL_TRACES_EXPORTER", "none"),
                List.of("docker-registry", "serve", file.toString()));
        return new RegistryServer(base, directory, daemon.await(START, () -> Ports.listens(address)), http);
    }

    /** Name or address and port, as in a reference. */
    public String host() {
        return base.getAuthority();
    }

    /** Its log so far, with a line for each request. */
    public String log() throws IOException {
        return daemon.log();
    }

    /** Whether it has a blob. */
    public boolean holds(String repository, String hex) {
        Path links = directory.resolve("data/docker/registry/v2/repositories/" + repository + "/_layers/sha256");
        return Files.exists(links.resolve(hex).resolve("link"));
    }

    /** The certificate of a private registry, which is its authority's, too. */
    public Path certificate() {
        return directory.resolve("ca.crt");
    }

    /** Pushes a blob. */
    public void pushBlob(String repository, byte[] blob) throws IOException, InterruptedException {
        String started = send(202, request(repository + "/blobs/uploads/").POST(BodyPublishers.noBody()))
                .headers()
                .firstValue("Location")
                .orElseThrow();
        String query = (started.contains("?") ? "&" : "?") + "digest=sha256:" + sha256(blob);
        send(201, request(base.resolve(started + query)).PUT(BodyPublishers.ofByteArray(blob)));
    }

    /** Pushes a manifest or an index. */
    public void pushManifest(String repository, String tag, String mediaType, byte[] manifest)
            throws IOException, InterruptedException {
        send(
                201,
                request(repository + "/manifests/" + tag)
                        .header("Content-Type", mediaType)
                        .PUT(BodyPublishers.ofByteArray(manifest)));
    }

    private static String sha256(byte[] blob) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(blob));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return request(base.resolve("/v2/" + path));
    }

    private static HttpRequest.Builder request(URI uri) {
        String login = Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(uri).header("Authorization", "Basic " + login);
    }

    private HttpResponse<String> send(int status, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != status) {
            throw new IOException(response.request() + ": " + response.statusCode() + " " + response.body());
        }
        return response;
    }

    @Override
    public void close() throws IOException {
        http.close();
        daemon.close();
    }
}
