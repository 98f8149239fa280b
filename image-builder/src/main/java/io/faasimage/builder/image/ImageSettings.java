package io.faasimage.builder.image;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration of a built image, besides its layers.
 *
 * @param environment all variables
 * @param labels all labels
 * @param command words that start the server
 * @param workingDirectory absolute
 * @param port where it serves HTTP
 */
public record ImageSettings(
        SortedMap<String, String> environment,
        SortedMap<String, String> labels,
        List<String> command,
        String workingDirectory,
        int port) {
    /** Copies the collections. */
    public ImageSettings {
        environment = new TreeMap<>(environment);
        labels = new TreeMap<>(labels);
        command = List.copyOf(command);
    }
}
