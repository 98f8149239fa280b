package io.faasimage.node.starts.trace;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Mount options of an overlay, read. Stateless. */
final class OverlayOptions {
    private static final String LOWERDIR = "lowerdir=";

    private OverlayOptions() {}

    /** The layers named by {@code lowerdir=}, top first, without the data-only ones; one char per byte. */
    static List<String> lowerDirectories(List<String> options) {
        return layers(options).map(Layers::lower).orElse(List.of());
    }

    /** The options with {@code more} before the other data-only layers; empty when there are none. */
    static Optional<List<String>> withDataLayers(List<String> options, List<Path> more) {
        return layers(options).filter(found -> found.data() >= 0).map(found -> {
            List<String> changed = new ArrayList<>(options);
            changed.replaceAll(option -> option.startsWith(LOWERDIR)
                    ? option.substring(0, LOWERDIR.length() + found.data())
                            + more.stream().map(layer -> "::" + layer).collect(Collectors.joining())
                            + option.substring(LOWERDIR.length() + found.data())
                    : option);
            return changed;
        });
    }

    /**
     * The layers of an overlay.
     *
     * @param lower without the data-only ones
     * @param data where the first data-only one begins in the option's value, with its two colons; -1 without
     */
    private record Layers(List<String> lower, int data) {}

    private static Optional<Layers> layers(List<String> options) {
        return options.stream()
                .filter(option -> option.startsWith(LOWERDIR))
                .map(option -> parse(option.substring(LOWERDIR.length())))
                .findFirst();
    }

    /** A backslash protects a colon. */
    private static Layers parse(String value) {
        List<String> directories = new ArrayList<>();
        StringBuilder directory = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                directory.append(value.charAt(++i));
            } else if (c == ':') {
                if (directory.isEmpty()) {
                    return new Layers(List.copyOf(directories), i - 1);
                }
                directories.add(raw(directory.toString()));
                directory.setLength(0);
            } else {
                directory.append(c);
            }
        }
        if (!directory.isEmpty()) {
            directories.add(raw(directory.toString()));
        }
        return new Layers(List.copyOf(directories), -1);
    }

    private static String raw(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
