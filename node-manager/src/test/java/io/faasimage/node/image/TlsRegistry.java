package io.faasimage.node.image;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The real docker-registry behind TLS, with a certificate of its own making, and a login; it serves what is in its
 * directory.
 */
final class TlsRegistry implements AutoCloseable {
    static final String USER = "alice";
    static final String PASSWORD = "s3cret:with colon";
    /** The password's bcrypt, as htpasswd makes it. */
    private static final String HASH = "$2y$05$abcdefghijklmnopqrstuuOb/B27OpVc3Bt3QXIepIr2DUn/DCZNi";

    private static final Duration START = Duration.ofSeconds(20);

    final Path certificate;
    final int port;
    private final Process process;

    private TlsRegistry(Path certificate, int port, Process process) {
        this.certificate = certificate;
        this.port = port;
        this.process = process;
    }

    static TlsRegistry start(Path directory) throws IOException, InterruptedException {
        Path certificate = directory.resolve("ca.pem");
        Path key = directory.resolve("key.pem");
        run(
                directory.resolve("openssl.log"),
                List.of(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=localhost",
                        "-addext",
                        "subjectAltName=DNS:localhost",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString()));
        Path users = Files.writeString(directory.resolve("htpasswd"), USER + ":" + HASH + "\n");
        int port = freePort();
        Path config = Files.writeString(
                directory.resolve("registry.yml"), """
                version: 0.1
                storage: {filesystem: {rootdirectory: %1$s/data}}
                auth: {htpasswd: {realm: test, path: %2$s}}
                http: {addr: "127.0.0.1:%3$d", tls: {certificate: %4$s, key: %5$s}}
                """.formatted(directory, users, port, certificate, key));
        ProcessBuilder builder = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("registry.log").toFile());
        builder.environment().put("OTEL_TRACES_EXPORTER", "none");
        TlsRegistry registry = new TlsRegistry(certificate, port, builder.start());
        registry.await();
        return registry;
    }

    private static void run(Path log, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " ended with " + process.exitValue() + ": " + Files.readString(log));
        }
    }

    private static int freePort() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }

    private void await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (!listens()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                close();
                throw new IOException("docker-registry did not come up at port " + port);
            }
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String host() {
        return "localhost:" + port;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
