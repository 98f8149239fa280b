package io.faasimage.format.plan;

/**
 * A third-party library in an image.
 *
 * @param ecosystem package manager: {@code python}, {@code node}, {@code ruby}, {@code php}
 * @param name as the package manager names it; not empty
 * @param version as the package manager names it; not empty
 */
public record Library(String ecosystem, String name, String version) {
    /** Longest ecosystem, name or version, chars. */
    public static final int MAX_CHARS = 1024;

    /** Checks that nothing is empty or too long. */
    public Library {
        if (ecosystem.isEmpty() || name.isEmpty() || version.isEmpty()) {
            throw new IllegalArgumentException("a library has an ecosystem, a name and a version");
        }
        if (ecosystem.length() > MAX_CHARS || name.length() > MAX_CHARS || version.length() > MAX_CHARS) {
            throw new IllegalArgumentException("a library's name or version has more than 1024 characters");
        }
    }

    /** {@code name:version}. */
    public String coordinates() {
        return name + ":" + version;
    }
}
