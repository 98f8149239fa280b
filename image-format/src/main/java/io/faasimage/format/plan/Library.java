package io.faasimage.format.plan;

/**
 * A third-party library in an image.
 *
 * @param ecosystem package manager: {@code python}, {@code node}, {@code ruby}, {@code php}
 * @param name as the package manager names it; not empty
 * @param version as the package manager names it; not empty
 */
public record Library(String ecosystem, String name, String version) {
    /** Checks that nothing is empty. */
    public Library {
        if (ecosystem.isEmpty() || name.isEmpty() || version.isEmpty()) {
            throw new IllegalArgumentException("a library has an ecosystem, a name and a version");
        }
    }

    /** {@code name:version}. */
    public String coordinates() {
        return name + ":" + version;
    }
}
