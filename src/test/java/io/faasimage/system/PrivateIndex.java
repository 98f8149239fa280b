package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.testing.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A package index of this machine for pip and npm that requires a login. It has {@code acme-private} 1.0 for Python and
 * {@code @acme/private} 1.0.0 for Node.js.
 */
final class PrivateIndex implements AutoCloseable {
    private static final String USER = "reader";

    private final HttpServer server;
    private final Path work;
    private final String password;
    private final String login;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final AtomicInteger served = new AtomicInteger();

    /** One whose login has {@code password}; {@code work} is an empty directory. */
    PrivateIndex(String password, Path work) throws IOException, InterruptedException {
        this.work = work;
        this.password = password;
        this.login = Base64.getEncoder().encodeToString((USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String wheel = "acme_private-1.0-py3-none-any.whl";
        files.put("/simple/acme-private/", text("<a href=\"/files/" + wheel + "\">" + wheel + "</a>"));
        files.put("/files/" + wheel, wheel());
        files.put("/npm/@acme/private", text("""
                {"name": "@acme/private", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0":
                 {"name": "@acme/private", "version": "1.0.0", "dist": {"tarball": "%s/npm/private-1.0.0.tgz"}}}}
                """.formatted(address())));
        files.put("/npm/private-1.0.0.tgz", tarball(work));
        server.createContext("/", this::answer);
        server.start();
    }

    /** {@code host:port}. */
    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private String address() {
        return "http://" + host();
    }

    /** User and password as HTTP's basic authentication sends them. */
    String login() {
        return login;
    }

    /** A file with a login for the private index, outside of the function's directory. */
    String secret(String id, String content) throws IOException {
        Path file = Files.writeString(work.resolve(id), content);
        return id + "=" + file;
    }

    /**
     * Asserts that a request with the login came, and that no layer, log, file of the service, of the OCI registry or
     * of the builder's cache has the password, plain or as it is sent.
     */
    void wasUsedAndThePasswordIsNowhereIn(Cluster cluster, Path cache) throws IOException, InterruptedException {
        assertThat(served.getAndSet(0)).isPositive();
        String places =
                cluster.dir.resolve("d") + " " + cluster.dir.resolve("oci") + " " + cluster.dir + "/*.log " + cache;
        String pattern = "-e " + password + " -e " + login;
        Shell.Result found = Shell.run(
                "sh",
                "-c",
                "grep -rlaF " + pattern + " " + places + "; find " + cluster.dir + "/oci " + cache
                        + " -type f -exec sh -c 'for blob; do gzip -dc \"$blob\" 2>/dev/null"
                        + " | grep -qaF " + pattern + " && echo \"$blob\"; done' sh {} +");
        assertThat(found.out()).isEmpty();
        assertThat(Shell.run("sh", "-c", "grep -rlaF acme " + places).out())
                .as("the search finds what is there")
                .isNotEmpty();
        assertThat(cluster.faasimage("audit").ok()).doesNotContain(password);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] file = files.get(exchange.getRequestURI().getPath());
            if (!("Basic " + login).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"packages\"");
                exchange.sendResponseHeaders(401, -1);
            } else if (file == null) {
                exchange.sendResponseHeaders(404, -1);
            } else {
                served.incrementAndGet();
                boolean page = exchange.getRequestURI().getPath().endsWith("/");
                exchange.getResponseHeaders().add("Content-Type", page ? "text/html" : "application/octet-stream");
                exchange.sendResponseHeaders(200, file.length);
                exchange.getResponseBody().write(file);
            }
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] wheel() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String info = "acme_private-1.0.dist-info/";
        Map<String, String> entries = Map.of(
                "acme_private.py",
                "NAME = 'acme'\n",
                info + "METADATA",
                "Metadata-Version: 2.1\nName: acme-private\nVersion: 1.0\n",
                info + "WHEEL",
                "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                info + "RECORD",
                "acme_private.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(text(entry.getValue()));
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] tarball(Path work) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(work.resolve("package"));
        Files.writeString(
                directory.resolve("package.json"),
                "{\"name\": \"@acme/private\", \"version\": \"1.0.0\", \"main\": \"index.js\"}");
        Files.writeString(directory.resolve("index.js"), "module.exports = 'acme';\n");
        Path file = work.resolve("private-1.0.0.tgz");
        Shell.run("tar", "-czf", file.toString(), "-C", work.toString(), "package")
                .ok();
        return Files.readAllBytes(file);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
