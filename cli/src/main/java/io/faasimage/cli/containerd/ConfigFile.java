package io.faasimage.cli.containerd;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * containerd's own configuration file, whose text stays as it is but for one entry in its list of imports.
 *
 * @param path the file
 * @param text its content; empty when it does not exist
 */
record ConfigFile(Path path, Optional<String> text) {
    private static final Pattern IMPORTS = Pattern.compile("(?m)^[ \\t]*imports[ \\t]*=[ \\t]*\\[");
    private static final String OWN_LINE = "imports = [%s] # by `faasimage node install`\n";

    static ConfigFile read(Path path) throws IOException {
        return new ConfigFile(path, Files.exists(path) ? Optional.of(Files.readString(path)) : Optional.empty());
    }

    /** The patterns of its imports; empty when it does not set them. */
    Optional<List<String>> imports() throws IOException {
        return imports(Containerd.parse(text.orElse(""), path.toString()));
    }

    static Optional<List<String>> imports(JsonNode configuration) {
        JsonNode imports = configuration.path("imports");
        return imports.isArray()
                ? Optional.of(imports.valueStream().map(i -> i.asString("")).toList())
                : Optional.empty();
    }

    /** Whether one of {@code patterns} matches {@code file}; a relative one is resolved against this file's folder. */
    boolean takesIn(List<String> patterns, Path file) {
        return patterns.stream()
                .filter(pattern -> !pattern.isEmpty())
                .map(pattern -> pattern.startsWith("/")
                        ? pattern
                        : path.resolveSibling(pattern).toString())
                .anyMatch(pattern -> FileSystems.getDefault()
                        .getPathMatcher("glob:" + pattern)
                        .matches(file));
    }

    /**
     * The text with {@code pattern} among the imports.
     *
     * @param version of the format, for a file that does not exist yet
     */
    String with(String pattern, int version) throws IOException {
        String quoted = "\"" + pattern + "\"";
        String before = text.orElse("version = " + version + "\n");
        List<String> old = imports().orElse(List.of());
        Matcher matcher = IMPORTS.matcher(before);
        String after = imports().isPresent() && matcher.find()
                ? before.substring(0, matcher.end()) + quoted + ", " + before.substring(matcher.end())
                : OWN_LINE.formatted(quoted) + before;
        List<String> now = imports(Containerd.parse(after, path.toString())).orElse(List.of());
        if (now.size() != old.size() + 1 || !now.contains(pattern) || !now.containsAll(old)) {
            throw new IOException("cannot add to the imports of " + path + "; add " + quoted + " there by hand");
        }
        return after;
    }

    /**
     * The text without {@code pattern}, in the form in which {@link #with} inserts it.
     *
     * @param made whether {@link #with} has made the file; then empty when nothing else is left
     */
    Optional<String> without(String pattern, boolean made) {
        String quoted = "\"" + pattern + "\"";
        return text.map(t -> t.replace(OWN_LINE.formatted(quoted), "").replace(quoted + ", ", ""))
                .filter(t -> !made || !t.matches("version = [23]\n"));
    }
}
