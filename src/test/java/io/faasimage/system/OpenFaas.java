package io.faasimage.system;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The real gateway and faasd with the adapter between them, on a cluster, in namespaces that nobody else uses. */
final class OpenFaas implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int PROMETHEUS = 9090;

    private final Cluster cluster;
    private final List<Daemon> daemons = new ArrayList<>();
    private final HttpServer prometheus;
    private final HttpClient http = HttpClient.newHttpClient();

    OpenFaas(Cluster cluster) throws IOException, InterruptedException {
        this.cluster = cluster;
        Path secrets = Files.createDirectories(cluster.dir.resolve("secrets"));
        Files.writeString(secrets.resolve("basic-auth-user"), "admin");
        Files.writeString(secrets.resolve("basic-auth-password"), "secret");
        // The gateway requests invocation counts from it whenever it lists functions.
        prometheus = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), PROMETHEUS), 0);
        prometheus.createContext("/", exchange -> {
            byte[] none = "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}"
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, none.length);
            exchange.getResponseBody().write(none);
            exchange.close();
        });
        prometheus.start();
        startProvider(secrets);
        startAdapter(secrets);
        startGateway(secrets);
    }

    private void start(String name, Map<String, String> environment, List<String> command, int port)
            throws IOException, InterruptedException {
        daemons.add(Daemon.start(name, cluster.dir.resolve(name + ".log"), environment, command)
                .await(START, () -> listens(port)));
    }

    private void startProvider(Path secrets) throws IOException, InterruptedException {
        Map<String, String> environment = Map.of(
                "sock",
                cluster.containerdSocket().toString(),
                "secret_mount_path",
                secrets.toString(),
                "service_timeout",
                "60s");
        start(
                "faasd",
                environment,
                List.of("sh", "-c", "cd /var/lib/faasd && exec /usr/local/bin/faasd provider"),
                8081);
    }

    private void startAdapter(Path secrets) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of("")
                        .toAbsolutePath()
                        .resolve("../../docker/bin/faasimage-adapter")
                        .toString(),
                "--faasimage.listen=127.0.0.1:8083",
                "--faasimage.provider=http://127.0.0.1:8081",
                "--faasimage.provider-user-file=" + secrets.resolve("basic-auth-user"),
                "--faasimage.provider-password-file=" + secrets.resolve("basic-auth-password"),
                "--faasimage.registry=" + cluster.environment().get("FAASIMAGE_URL"),
                "--faasimage.registry-token-file=" + cluster.dir.resolve("d/token"),
                "--faasimage.nodes=" + cluster.run.resolve("node.sock"),
                "--faasimage.state=" + cluster.dir.resolve("adapter"));
        start("adapter", Map.of(), command, 8083);
    }

    private void startGateway(Path secrets) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "functions_provider_url", "http://127.0.0.1:8083/",
                "basic_auth", "true",
                "secret_mount_path", secrets.toString(),
                "scale_from_zero", "true",
                "faas_prometheus_host", "127.0.0.1",
                "faas_prometheus_port", Integer.toString(PROMETHEUS),
                "function_namespace", "openfaas-fn"));
        environment.putAll(Map.of("upstream_timeout", "60s", "read_timeout", "65s", "write_timeout", "65s"));
        start("gateway", environment, List.of(System.getenv("FAAS_GATEWAY")), 8080);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs faas-cli against the gateway. */
    Shell.Result cli(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getenv("FAAS_CLI")));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of("HOME", cluster.dir.toString(), "OPENFAAS_URL", "http://127.0.0.1:8080"), command);
    }

    /** Calls the gateway as an administrator. */
    HttpResponse<String> call(String method, String path, String body) throws IOException, InterruptedException {
        return call(8080, method, path, body);
    }

    /** Calls gateway (8080), provider (8081) or adapter (8083) as an administrator. */
    HttpResponse<String> call(int port, String method, String path, String body)
            throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString("admin:secret".getBytes(StandardCharsets.US_ASCII));
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(START)
                        .header("Authorization", "Basic " + credentials)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The adapter's metrics. */
    String metrics() throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:8084/actuator/prometheus"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    String log(String name) throws IOException {
        return Files.readString(cluster.dir.resolve(name + ".log"));
    }

    @Override
    public void close() throws IOException {
        for (Daemon daemon : daemons.reversed()) {
            daemon.close();
        }
        prometheus.stop(0);
        http.close();
    }
}
