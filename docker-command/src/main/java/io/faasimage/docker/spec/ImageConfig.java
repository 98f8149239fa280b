package io.faasimage.docker.spec;

import io.faasimage.format.id.Digest;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What an image says of its containers.
 *
 * @param entrypoint first words of the command
 * @param command further words, which a user may replace
 * @param environment {@code NAME=VALUE} each
 * @param directory where the command begins; empty for the root
 * @param user name or number, with a group after a colon; empty for root
 * @param diffIds digests of its layers, the lowest first
 */
public record ImageConfig(
        List<String> entrypoint,
        List<String> command,
        List<String> environment,
        String directory,
        String user,
        List<Digest> diffIds) {
    /** Copies the lists. */
    public ImageConfig {
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        environment = List.copyOf(environment);
        diffIds = List.copyOf(diffIds);
    }

    /**
     * Reads an image's configuration.
     *
     * @throws IllegalArgumentException when it has no layers, or one without a digest
     */
    public static ImageConfig parse(JsonNode json) {
        JsonNode config = json.path("config");
        List<Digest> diffIds = strings(json.path("rootfs").path("diff_ids")).stream()
                .map(Digest::parse)
                .toList();
        if (diffIds.isEmpty()) {
            throw new IllegalArgumentException("the image's configuration names no layers");
        }
        return new ImageConfig(
                strings(config.path("Entrypoint")),
                strings(config.path("Cmd")),
                strings(config.path("Env")),
                config.path("WorkingDir").asString(""),
                config.path("User").asString(""),
                diffIds);
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.asString("")));
        return strings;
    }
}
