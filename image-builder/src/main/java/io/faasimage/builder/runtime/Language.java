package io.faasimage.builder.runtime;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A language that functions are written in, with the versions that there are.
 *
 * @param name such as {@code python}
 * @param defaultVersion the version that the name alone stands for
 * @param versions by version; not empty
 * @param template files of a new function, by path within it; {@code {{name}}} stands for its name
 */
public record Language(
        String name, String defaultVersion, Map<String, FunctionRuntime> versions, Map<String, String> template) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,30}[a-z]");
    private static final Pattern VERSION = Pattern.compile("[0-9][0-9A-Za-z.-]{0,30}");

    /** Checks the names and that the default version is there. */
    public Language {
        versions = Map.copyOf(versions);
        template = Map.copyOf(template);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a runtime's name must consist of a-z, 0-9 and '-' and end with a letter, not '" + name + "'");
        }
        for (String version : versions.keySet()) {
            if (!VERSION.matcher(version).matches()) {
                throw new IllegalArgumentException("a version must start with a digit, not '" + version + "'");
            }
        }
        if (!versions.containsKey(defaultVersion)) {
            throw new IllegalArgumentException("'default' must be one of " + versions.keySet());
        }
    }

    /** The names that a request may give: the language's own, and one per version. */
    public List<String> runtimes() {
        return versions.keySet().stream().sorted().map(name::concat).toList();
    }
}
