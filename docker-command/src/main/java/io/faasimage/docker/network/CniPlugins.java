package io.faasimage.docker.network;

import io.faasimage.api.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Runs CNI plugins. Thread-safe; every run is bounded in time. */
final class CniPlugins {
    private static final List<Path> USUAL =
            List.of(Path.of("/opt/cni/bin"), Path.of("/usr/lib/cni"), Path.of("/usr/libexec/cni"));
    private static final int LIMIT_SECONDS = 30;
    private static final int LONGEST_ANSWER = 1 << 20;

    private final Path directory;

    private CniPlugins(Path directory) {
        this.directory = directory;
    }

    /** Plugins in {@code given}, else where distributions put them. */
    static CniPlugins in(Optional<Path> given) throws IOException {
        List<Path> candidates = given.map(List::of).orElse(USUAL);
        for (Path candidate : candidates) {
            if (Files.isExecutable(candidate.resolve("bridge"))) {
                return new CniPlugins(candidate);
            }
        }
        throw new IOException("there is no CNI plugin 'bridge' in " + candidates
                + "; install containernetworking-plugins, or give their directory with --cni-plugins");
    }

    boolean has(String type) {
        return Files.isExecutable(directory.resolve(type));
    }

    /**
     * Runs a plugin.
     *
     * @param type its name
     * @param variables its parameters, without {@code CNI_PATH}
     * @param configuration what it reads
     * @return what it answers; missing when that is nothing
     */
    JsonNode run(String type, Map<String, String> variables, JsonNode configuration) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(directory.resolve(type).toString()).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(variables);
        builder.environment().put("CNI_PATH", directory.toString());
        Process process = builder.start();
        String attempt = "CNI plugin " + type + " could not " + variables.get("CNI_COMMAND");
        try {
            try (var in = process.getOutputStream()) {
                in.write(Json.mapper().writeValueAsBytes(configuration));
            }
            byte[] answer = process.getInputStream().readNBytes(LONGEST_ANSWER);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(attempt + ": it did not end in " + LIMIT_SECONDS + " s");
            }
            JsonNode json = answer.length == 0
                    ? Json.mapper().missingNode()
                    : Json.mapper().readTree(answer);
            if (process.exitValue() != 0) {
                throw new IOException(attempt + ": "
                        + json.path("msg").asString(new String(answer, StandardCharsets.UTF_8)) + " "
                        + json.path("details").asString(""));
            }
            return json;
        } catch (JacksonException e) {
            throw new IOException(attempt + ": its answer is not JSON", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(attempt + ": interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
