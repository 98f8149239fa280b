package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Functions built from code beside a cluster: traced, started cold and called. */
record BuiltFunctions(Cluster cluster, Path work) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Where the libraries are cached. */
    Path cache() {
        return work.resolve("cache");
    }

    /** The template of a language. */
    Path template(String language, String name) throws IOException, InterruptedException {
        Path directory = work.resolve(name);
        cluster.faasimage("new", language, name, "--into", directory.toString()).ok();
        return directory;
    }

    /** Builds a function, twice: the same input gives the same image. */
    JsonNode build(Path directory, String language, String... options) throws IOException, InterruptedException {
        JsonNode built = Json.mapper()
                .readTree(run("build", directory, language, with(options, "--json"))
                        .ok());
        String[] fresh = with(options, "--json", "--fresh");
        assertThat(Json.mapper()
                        .readTree(run("build", directory, language, fresh).ok())
                        .path("digest")
                        .asString())
                .as("the same input gives the same image")
                .isEqualTo(built.path("digest").asString());
        return built;
    }

    private static String[] with(String[] options, String... more) {
        return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
    }

    /** Runs {@code faasimage build}, on the language's base image, and with {@code ctr} for its package manager. */
    Shell.Result run(String command, Path directory, String language, String... options)
            throws IOException, InterruptedException {
        return cluster.faasimage(environment(), with(arguments(command, directory, language), options));
    }

    /** Those of {@code build} and {@code dev}. */
    String[] arguments(String command, Path directory, String language) {
        return new String[] {
            command,
            directory.toString(),
            "--runtime",
            cluster.runtime(language).toString(),
            "--image",
            cluster.ociRegistry + "/functions/" + directory.getFileName(),
            "--with",
            "ctr"
        };
    }

    /** The command's, with a cache of the user for these functions alone. */
    Map<String, String> environment() throws IOException {
        Map<String, String> all = new HashMap<>(cluster.environment());
        all.put("XDG_CACHE_HOME", cache().toString());
        return all;
    }

    /** Traces a built function on a {@code $PORT} of its own, since the host's network has others. */
    void trace(JsonNode build, String command) throws IOException, InterruptedException {
        String port = Integer.toString(Ports.free());
        String traced = cluster.faasimage(
                        "trace",
                        build.path("image").asString(),
                        "--net-host",
                        "--limit",
                        "30",
                        "--readiness-port",
                        port,
                        "--readiness-path",
                        "/_/ready",
                        "--",
                        "/bin/sh",
                        "-c",
                        "export PORT=" + port + "; " + command)
                .ok();
        assertThat(traced).contains("state PLANNED");
    }

    /** Forgets a traced function, starts it again and calls it, in a network of its own. */
    void startsColdAndAnswers(JsonNode build, String path, String answer) throws IOException, InterruptedException {
        String image = build.path("image").asString();
        String id = build.path("name").asString();
        cluster.containers.ctr("image", "rm", "--sync", image).ok();
        cluster.faasimage("pull", image).ok();
        cluster.containers.run(image, id);
        try {
            String pid = cluster.containers
                    .ctr("task", "ls")
                    .ok()
                    .lines()
                    .filter(line -> line.startsWith(cluster.containers.name(id) + " "))
                    .findFirst()
                    .orElseThrow()
                    .split(" +")[1];
            Shell.run("nsenter", "-t", pid, "-n", "ip", "link", "set", "lo", "up")
                    .ok();
            Wait.until(LIMIT, id + " to be ready", () -> get(pid, "/_/ready").equals("OK 200"));
            assertThat(get(pid, "/_/health")).isEqualTo("OK 200");
            assertThat(post(pid, path)).isEqualTo(answer + " 200");
        } finally {
            cluster.containers.remove(id);
        }
    }

    private static String get(String pid, String path) throws IOException, InterruptedException {
        return curl(pid, "http://127.0.0.1:8080" + path);
    }

    private static String post(String pid, String path) throws IOException, InterruptedException {
        return curl(pid, "--data", "the body", "http://127.0.0.1:8080" + path);
    }

    private static String curl(String pid, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("nsenter", "-t", pid, "-n", "curl", "--silent", "--write-out", " %{http_code}"));
        command.addAll(List.of(words));
        return Shell.run(Map.of(), command).out();
    }

    /** Ecosystem, name and version of each library that was found in a built function. */
    List<String> libraries(JsonNode build) throws IOException, InterruptedException {
        JsonNode image =
                cluster.faasimageJson("image", "inspect", build.path("image").asString());
        return image.path("libraries").values().stream()
                .map(library -> library.path("ecosystem").asString() + " "
                        + library.path("name").asString() + " "
                        + library.path("version").asString())
                .toList();
    }
}
