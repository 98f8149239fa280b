package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The Linux distribution of a root file system.
 *
 * @param id such as {@code debian}
 * @param version such as {@code 12}; empty where there is none, as for Debian's unstable
 * @see <a href="https://www.freedesktop.org/software/systemd/man/latest/os-release.html">os-release(5)</a>
 */
public record Distribution(String id, String version) {
    static Optional<Distribution> of(RootFiles root) throws IOException {
        Optional<FilePath> file = root.resolve("etc/os-release");
        Optional<String> text = file.isEmpty() ? Optional.empty() : root.textOf(file.get());
        Map<String, String> fields = new HashMap<>();
        text.orElse("").lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                fields.put(line.substring(0, equals), unquoted(line.substring(equals + 1)));
            }
        });
        String id = fields.getOrDefault("ID", "");
        return id.isEmpty()
                ? Optional.empty()
                : Optional.of(new Distribution(id, fields.getOrDefault("VERSION_ID", "")));
    }

    private static String unquoted(String value) {
        String text = value.strip();
        boolean quoted = text.length() > 1
                && (text.startsWith("\"") || text.startsWith("'"))
                && text.charAt(0) == text.charAt(text.length() - 1);
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
