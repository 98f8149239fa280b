package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The name of a library's or runtime's file by which it is found again in other images: its path below the place where
 * its package manager installs it, with versions and hashes left out. Stateless.
 */
final class ProfilePath {
    /** Ecosystem of language runtimes with the operating system below them. */
    static final String RUNTIME = "runtime";

    private static final int SHORTEST_VERSION = 3;

    /**
     * A part of a path that differs between versions.
     *
     * @param hint is in every path that has it; looking for that is much faster, and most paths have none
     * @param symbol that stands for it
     */
    private record Variable(String hint, Pattern pattern, String symbol) {
        Variable(String hint, String pattern, String symbol) {
            this(hint, Pattern.compile(pattern), symbol);
        }
    }

    private static final List<Variable> VARIABLES = List.of(
            new Variable("cpython-", "cpython-\\d+", "cpython-#"),
            new Variable("python3.", "python3\\.\\d+", "python3.#"),
            new Variable("ruby/", "(?<=ruby/(?:gems/|site_ruby/|vendor_ruby/)?)\\d+\\.\\d+\\.\\d+", "#"),
            new Variable("no-debug-non-zts-", "(?<=no-debug-non-zts-)\\d+", "#"),
            new Variable("-", "-[0-9a-f]{8}(?=[.-])", "-#"),
            new Variable(".so.", "(?<=\\.so)(?:\\.\\d+)+$", ".#"),
            new Variable(".so", "(?<=-)\\d+(?:\\.\\d+)+(?=\\.so)", "#"));

    private ProfilePath() {}

    /** The name of the file at {@code path}, which belongs to {@code library}. */
    static String of(Library library, FilePath path) {
        String name = below(library, path.raw());
        if (isNumber(library.version())) {
            name = name.replace(library.version(), "#");
        }
        for (Variable variable : VARIABLES) {
            if (name.contains(variable.hint())) {
                name = variable.pattern().matcher(name).replaceAll(variable.symbol());
            }
        }
        return name;
    }

    private static boolean isNumber(String version) {
        return version.length() >= SHORTEST_VERSION && version.chars().anyMatch(c -> c >= '0' && c <= '9');
    }

    private static String below(Library library, String raw) {
        return switch (library.ecosystem()) {
            case "python" -> after(after(raw, "site-packages/"), "dist-packages/");
            case "node" -> after(raw, "node_modules/" + library.name() + "/");
            case "ruby" -> after(raw, "gems/" + library.name() + "-" + library.version() + "/");
            case "php" -> after(raw, "vendor/" + library.name() + "/");
            default -> raw;
        };
    }

    private static String after(String raw, String place) {
        int at = raw.lastIndexOf(place);
        return at < 0 ? raw : raw.substring(at + place.length());
    }
}
