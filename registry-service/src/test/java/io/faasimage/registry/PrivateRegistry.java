package io.faasimage.registry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The real docker-registry behind TLS, with an authority of its own and a login, at an address of this machine that is
 * no loopback address: to those the service speaks plain HTTP. Needs root.
 */
final class PrivateRegistry implements AutoCloseable {
    static final String USER = "alice";
    static final String PASSWORD = "s3cret:with colon";

    /** Of TEST-NET-2 (RFC 5737). */
    private static final String ADDRESS = "198.51.100.77";

    /** The password's bcrypt, as htpasswd makes it. */
    private static final String HASH = "$2y$05$abcdefghijklmnopqrstuuOb/B27OpVc3Bt3QXIepIr2DUn/DCZNi";

    private static final Duration START = Duration.ofSeconds(20);

    private final Path directory;
    private final int port;
    private final Process process;

    private PrivateRegistry(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    static PrivateRegistry start(Path directory) throws IOException, InterruptedException {
        run(directory, "ip", "address", "replace", ADDRESS + "/32", "dev", "lo");
        try {
            return started(directory);
        } catch (IOException | InterruptedException e) {
            run(directory, "ip", "address", "delete", ADDRESS + "/32", "dev", "lo");
            throw e;
        }
    }

    private static PrivateRegistry started(Path directory) throws IOException, InterruptedException {
        String key = directory.resolve("key.pem").toString();
        String certificate = directory.resolve("ca.crt").toString();
        List<String> openssl = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"));
        openssl.addAll(List.of("-days", "2", "-subj", "/CN=registry", "-addext", "subjectAltName=IP:" + ADDRESS));
        openssl.addAll(List.of("-keyout", key, "-out", certificate));
        run(directory, openssl.toArray(String[]::new));
        Path users = Files.writeString(directory.resolve("htpasswd"), USER + ":" + HASH + "\n");
        int port = freePort();
        Path config = Files.writeString(
                directory.resolve("registry.yml"), """
                version: 0.1
                storage: {filesystem: {rootdirectory: %s/data}}
                auth: {htpasswd: {realm: test, path: %s}}
                http: {addr: "%s:%d", tls: {certificate: %s, key: %s}}
                """.formatted(directory, users, ADDRESS, port, certificate, key));
        ProcessBuilder builder = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("registry.log").toFile());
        builder.environment().put("OTEL_TRACES_EXPORTER", "none");
        PrivateRegistry registry = new PrivateRegistry(directory, port, builder.start());
        registry.await();
        return registry;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
            return socket.getLocalPort();
        }
    }

    private void await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (!listens()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException(
                        "docker-registry did not come up: " + Files.readString(directory.resolve("registry.log")));
            }
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(ADDRESS, port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        Path log = directory.resolve(command[0] + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with " + process.exitValue() + ": " + Files.readString(log));
        }
    }

    /** Its certificate, which is its own authority's, too. */
    Path certificate() {
        return directory.resolve("ca.crt");
    }

    String host() {
        return ADDRESS + ":" + port;
    }

    /** Pushes the image of a layout; its reference. */
    String push(LayoutImage image, String repository) throws IOException, InterruptedException {
        String reference = host() + "/" + repository + ":1";
        Path trusted = Files.createDirectories(directory.resolve("trusted"));
        Files.copy(certificate(), trusted.resolve("ca.crt"));
        run(
                directory,
                "skopeo",
                "--insecure-policy",
                "copy",
                "--dest-creds=" + USER + ":" + PASSWORD,
                "--dest-cert-dir=" + trusted,
                "oci:" + image.directory(),
                "docker://" + reference);
        return reference;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        run(directory, "ip", "address", "delete", ADDRESS + "/32", "dev", "lo");
    }
}
