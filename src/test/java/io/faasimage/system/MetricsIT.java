package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real Prometheus on real processes: rules, board and documentation name exactly the metrics that exist. */
final class MetricsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path DOCKER = Path.of("../../docker");
    private static final Pattern NAME =
            Pattern.compile("\\b(faasimage_[a-z_]+|http_server_requests_seconds_[a-z]+)\\b");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(faasimage_[a-z_]+)` \\|[^|]*\\| (.*) \\|$");
    private static final Pattern HELP = Pattern.compile("(?m)^# HELP (faasimage_[a-z_]+) (.*)$");

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path work;

    @Test
    void rulesBoardAndDocumentationNameWhatThereIs() throws IOException, InterruptedException {
        int node = Ports.free();
        int adapter = Ports.free();
        int prometheus = Ports.free();
        try (Cluster cluster = Cluster.start(ClusterOptions.metrics(node));
                Daemon _ = cluster.startAdapter(
                        "http://127.0.0.1:1", "--server.port=" + adapter, "--faasimage.listen=127.0.0.1:0");
                Daemon _ = prometheus(cluster, prometheus, node, adapter)) {
            start(cluster);
            await(prometheus, "sum(up) == 3");
            for (String name : names()) {
                await(prometheus, "count(" + name + ") > 0");
            }
            await(prometheus, "sum(faasimage_node_pulled_bytes_total) > 0");
            await(prometheus, "sum(faasimage_node_pull_seconds_count{set=\"startup\"}) > 0");
            await(prometheus, "faasimage_node_gate_up == 1");
            await(prometheus, "count(faasimage_node_resident_memory_bytes) == 2");
            await(prometheus, "faasimage_registry_images{state=\"planned\"} == 1");
            await(prometheus, "faasimage_registry_bundle_bytes_total > 0");
            await(prometheus, "sum(faasimage_node_starts_total{cold=\"true\"}) > 0");
            assertThat(status("GET", node, "/metrics")).isEqualTo(200);
            assertThat(status("POST", node, "/metrics")).isEqualTo(405);
            assertThat(status("GET", node, "/metrics/more")).isEqualTo(404);
            assertThat(documented()).isEqualTo(exposed(cluster, node, adapter));
        }
    }

    /** A planned image is pulled, and a container of it started, so that there is something to measure. */
    private void start(Cluster cluster) throws IOException, InterruptedException {
        String image = new BusyboxImages(cluster, work).planned("measured");
        cluster.agent.prune();
        cluster.agent.pull(image);
        cluster.containers.runWaiting(image, "measured");
    }

    private static Daemon prometheus(Cluster cluster, int port, int node, int adapter) throws IOException {
        Path directory = Files.createDirectories(cluster.dir.resolve("prometheus"));
        Files.copy(DOCKER.resolve("prometheus/faasimage.rules.yml"), directory.resolve("faasimage.rules.yml"));
        Path config = Files.writeString(
                directory.resolve("prometheus.yml"),
                Files.readString(DOCKER.resolve("prometheus/prometheus.yml"))
                        .replace("15s", "1s")
                        .replace("127.0.0.1:9180", "127.0.0.1:" + node)
                        .replace("127.0.0.1:8980", cluster.serviceAddress())
                        .replace("127.0.0.1:8084", "127.0.0.1:" + adapter));
        return Daemon.start(
                "Prometheus",
                cluster.dir.resolve("prometheus.log"),
                Map.of(),
                List.of(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port));
    }

    /** The metrics that rules and board name. */
    private static SortedSet<String> names() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (String file : List.of("prometheus/faasimage.rules.yml", "grafana/faasimage.json")) {
            Matcher matcher = NAME.matcher(Files.readString(DOCKER.resolve(file)));
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        assertThat(names).hasSizeGreaterThan(30);
        return names;
    }

    /**
     * Waits until the query has an answer; Prometheus scrapes every second, and a start is reported after ten seconds.
     */
    private void await(int port, String query) throws IOException, InterruptedException {
        Wait.until(LIMIT, query, () -> number(port, query) > 0);
    }

    private double number(int port, String query) throws InterruptedException {
        JsonNode answer = Json.mapper()
                .readTree(get("http://127.0.0.1:" + port + "/api/v1/query?query="
                        + URLEncoder.encode(query, StandardCharsets.UTF_8)));
        return answer.path("data").path("result").path(0).path("value").path(1).asDouble(0);
    }

    private int status(String method, int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.noBody())
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** Empty while nobody answers. */
    private String get(String url) throws InterruptedException {
        try {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "{}";
        }
    }

    /** The processes' own descriptions of their metrics, by name. */
    private SortedMap<String, String> exposed(Cluster cluster, int node, int adapter)
            throws IOException, InterruptedException {
        SortedMap<String, String> found = new TreeMap<>();
        for (String url : List.of(
                "http://127.0.0.1:" + node + "/metrics",
                "http://" + cluster.serviceAddress() + "/actuator/prometheus",
                "http://127.0.0.1:" + adapter + "/actuator/prometheus")) {
            Matcher matcher = HELP.matcher(get(url));
            while (matcher.find()) {
                // A timer's maximum comes with it.
                if (!matcher.group(1).endsWith("_max")) {
                    found.put(matcher.group(1), matcher.group(2));
                }
            }
        }
        return found;
    }

    /** The documentation's descriptions of them. */
    private static SortedMap<String, String> documented() throws IOException {
        SortedMap<String, String> found = new TreeMap<>();
        Matcher matcher = DOCUMENTED.matcher(Files.readString(DOCKER.resolve("../docs/operations/metrics.md")));
        while (matcher.find()) {
            found.put(matcher.group(1), matcher.group(2));
        }
        return found;
    }
}
