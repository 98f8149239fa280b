package io.faasimage.system;

import io.faasimage.format.id.Digest;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Makes small real images with GNU tar and gzip, and pushes them to an OCI registry. */
final class TestImage {
    private final Path work;
    private final List<Layer> layers = new ArrayList<>();
    private String command = "/bin/sh";
    private String user = "";

    /** A layer: the compressed file and the digest of the plain tar. */
    private record Layer(Path blob, Digest diffId) {}

    /** An empty image; {@code work} holds the layers' directories. */
    TestImage(Path work) {
        this.work = work;
    }

    /** Adds all below {@code directory} as a layer. */
    TestImage layer(Path directory) throws IOException, InterruptedException {
        Path tar = work.resolve("layer" + layers.size() + ".tar");
        Shell.run("tar", "--sort=name", "--mtime=@1700000000", "-C", directory.toString(), "-cf", tar.toString(), ".")
                .ok();
        return archive(tar);
    }

    /** Adds a tar archive as a layer; it is replaced by its compressed form. */
    TestImage archive(Path tar) throws IOException, InterruptedException {
        Digest diffId = Digest.of(Files.readAllBytes(tar));
        Shell.run("gzip", "-nf", tar.toString()).ok();
        layers.add(new Layer(Path.of(tar + ".gz"), diffId));
        return this;
    }

    /** Adds the layers of another image below the coming ones. */
    TestImage on(TestImage base) {
        layers.addAll(base.layers);
        return this;
    }

    TestImage command(String script) {
        this.command = script;
        return this;
    }

    TestImage user(String name) {
        this.user = name;
        return this;
    }

    /** Pushes to {@code host:port/name:tag} over plain HTTP; the manifest digest. */
    Digest push(String registry, String name, String tag) throws IOException, InterruptedException {
        String diffIds = layers.stream().map(l -> "\"" + l.diffId() + "\"").collect(Collectors.joining(","));
        String config = """
                {"architecture":"amd64","os":"linux","config":{"Cmd":["/bin/sh","-c","%s"],"Env":["PATH=/bin"],"User":"%s"},\
                "rootfs":{"type":"layers","diff_ids":[%s]}}""".formatted(command, user, diffIds);
        byte[] configBytes = config.getBytes(StandardCharsets.UTF_8);
        try (HttpClient http = HttpClient.newHttpClient()) {
            List<String> descriptors = new ArrayList<>();
            for (Layer layer : layers) {
                byte[] content = Files.readAllBytes(layer.blob());
                blob(http, registry, name, content);
                descriptors.add(descriptor("application/vnd.oci.image.layer.v1.tar+gzip", content));
            }
            blob(http, registry, name, configBytes);
            String manifest = """
                    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}""".formatted(
                    descriptor("application/vnd.oci.image.config.v1+json", configBytes), String.join(",", descriptors));
            byte[] bytes = manifest.getBytes(StandardCharsets.UTF_8);
            send(
                    http,
                    HttpRequest.newBuilder(URI.create("http://" + registry + "/v2/" + name + "/manifests/" + tag))
                            .header("Content-Type", "application/vnd.oci.image.manifest.v1+json")
                            .PUT(BodyPublishers.ofByteArray(bytes))
                            .build(),
                    201);
            return Digest.of(bytes);
        }
    }

    private static String descriptor(String mediaType, byte[] content) {
        return "{\"mediaType\":\"" + mediaType + "\",\"digest\":\"" + Digest.of(content) + "\",\"size\":"
                + content.length + "}";
    }

    private static void blob(HttpClient http, String registry, String name, byte[] content)
            throws IOException, InterruptedException {
        URI uploads = URI.create("http://" + registry + "/v2/" + name + "/blobs/uploads/");
        HttpResponse<String> started = send(
                http,
                HttpRequest.newBuilder(uploads).POST(BodyPublishers.noBody()).build(),
                202);
        String location = started.headers().firstValue("Location").orElseThrow();
        String separator = location.contains("?") ? "&" : "?";
        URI upload = uploads.resolve(location + separator + "digest=" + Digest.of(content));
        send(
                http,
                HttpRequest.newBuilder(upload)
                        .PUT(BodyPublishers.ofByteArray(content))
                        .build(),
                201);
    }

    private static HttpResponse<String> send(HttpClient http, HttpRequest request, int expected)
            throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw new AssertionError(request + " answered " + response.statusCode() + ": " + response.body());
        }
        return response;
    }
}
