package io.faasimage.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An OCI registry with one image whose configuration names the diff IDs of another image, whose layers do not exist,
 * and whose annotations name the other's manifest where containerd makes labels of them.
 */
final class ForgedImageRegistry implements AutoCloseable {
    private final HttpServer server;
    private final byte[] config;
    private final byte[] manifest;

    ForgedImageRegistry(List<String> diffIds, String victim) throws IOException {
        config = """
                {"architecture":"amd64","os":"linux","config":{"Cmd":["/bin/sh"]},"rootfs":{"type":"layers","diff_ids":[%s]}}""".formatted(diffIds.stream().map(id -> '"' + id + '"').collect(Collectors.joining(",")))
                .getBytes(StandardCharsets.UTF_8);
        String layers = diffIds.stream()
                .map(id -> descriptor(
                                "application/vnd.oci.image.layer.v1.tar+gzip",
                                Digest.of(("no blob for " + id).getBytes(StandardCharsets.UTF_8)),
                                1000)
                        .replace(
                                "}",
                                ",\"annotations\":{\"containerd.io/snapshot/cri.manifest-digest\":\"" + victim
                                        + "\"}}"))
                .collect(Collectors.joining(","));
        manifest = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}""".formatted(
                        descriptor("application/vnd.oci.image.config.v1+json", Digest.of(config), config.length),
                        layers)
                .getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/", this::answer);
        server.start();
    }

    private static String descriptor(String type, Digest digest, long size) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(type, digest, size);
    }

    /** Its image. */
    String image() {
        return "127.0.0.1:" + server.getAddress().getPort() + "/forged/image:latest";
    }

    /** Digests of its manifest and of its configuration. */
    List<String> documents() {
        return List.of(Digest.of(manifest).toString(), Digest.of(config).toString());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/v2/")) {
            send(exchange, 200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
        } else if (path.contains("/manifests/")) {
            exchange.getResponseHeaders()
                    .set("Docker-Content-Digest", Digest.of(manifest).toString());
            send(exchange, 200, "application/vnd.oci.image.manifest.v1+json", manifest);
        } else if (path.endsWith(Digest.of(config).toString())) {
            send(exchange, 200, "application/octet-stream", config);
        } else {
            byte[] unknown = "{\"errors\":[{\"code\":\"BLOB_UNKNOWN\"}]}".getBytes(StandardCharsets.UTF_8);
            send(exchange, 404, "application/json", unknown);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
