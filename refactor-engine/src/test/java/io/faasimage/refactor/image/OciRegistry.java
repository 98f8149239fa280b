package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A real OCI registry (the docker-registry program) on a loopback port, for as long as it is open. */
final class OciRegistry implements Closeable {
    private static final int FIRST_PORT = 9100;
    private static final int LAST_PORT = 9119;

    private final Process process;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private OciRegistry(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static OciRegistry start(Path directory) throws IOException, InterruptedException {
        int port = freePort();
        Path config = directory.resolve("registry.yml");
        Files.writeString(
                config,
                "version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: "
                        + directory.resolve("data") + "\nhttp:\n  addr: 127.0.0.1:" + port + "\n");
        Process process = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("registry.log").toFile())
                .start();
        OciRegistry registry = new OciRegistry(process, port);
        try {
            registry.awaitUp();
            return registry;
        } catch (IOException | InterruptedException | RuntimeException e) {
            registry.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        for (int port = FIRST_PORT; port <= LAST_PORT; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port from " + FIRST_PORT + " to " + LAST_PORT);
    }

    private void awaitUp() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < deadline) {
            try {
                HttpRequest request = HttpRequest.newBuilder(uri("/v2/")).build();
                if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    throw new IOException("docker-registry ended with " + process.exitValue(), e);
                }
            }
        }
        throw new IOException("docker-registry did not answer within 20 s");
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** {@code 127.0.0.1:port}. */
    String host() {
        return "127.0.0.1:" + port;
    }

    void pushBlob(String repository, byte[] blob) throws IOException, InterruptedException {
        HttpResponse<Void> start = http.send(
                HttpRequest.newBuilder(uri("/v2/" + repository + "/blobs/uploads/"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        String location = start.headers().firstValue("Location").orElseThrow();
        URI upload = uri("/").resolve(location + (location.contains("?") ? "&" : "?") + "digest=" + Digest.of(blob));
        expect(
                201,
                HttpRequest.newBuilder(upload)
                        .header("Content-Type", "application/octet-stream")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(blob))
                        .build());
    }

    void pushManifest(String repository, String tag, String mediaType, byte[] manifest)
            throws IOException, InterruptedException {
        expect(
                201,
                HttpRequest.newBuilder(uri("/v2/" + repository + "/manifests/" + tag))
                        .header("Content-Type", mediaType)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(manifest))
                        .build());
    }

    private void expect(int status, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != status) {
            throw new IOException(request + ": " + response.statusCode() + " " + response.body());
        }
    }

    @Override
    public void close() {
        http.close();
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
