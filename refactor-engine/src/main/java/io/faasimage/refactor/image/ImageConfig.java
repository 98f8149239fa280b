package io.faasimage.refactor.image;

import java.util.List;
import java.util.Map;

/**
 * The part of the image configuration about running it.
 *
 * @param env {@code NAME=value} each
 * @param labels by name
 * @param entrypoint words of the entry point
 * @param command words of the default command
 * @param exposedPorts for example {@code 8080/tcp}
 * @param workingDirectory empty when not set
 * @param user empty when not set
 */
public record ImageConfig(
        List<String> env,
        Map<String, String> labels,
        List<String> entrypoint,
        List<String> command,
        List<String> exposedPorts,
        String workingDirectory,
        String user) {
    public ImageConfig {
        env = List.copyOf(env);
        labels = Map.copyOf(labels);
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        exposedPorts = List.copyOf(exposedPorts);
    }
}
