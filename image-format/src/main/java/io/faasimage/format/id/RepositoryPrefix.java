package io.faasimage.format.id;

/**
 * The name of an OCI registry, or of a repository or folder of repositories there, such as {@code ghcr.io/team}.
 *
 * @param text host with its port when given, then the path; in the form that {@link ImageReference} has
 */
public record RepositoryPrefix(String text) {
    /** Checks the form. */
    public RepositoryPrefix {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        // A reference of one repository there is checked in its place.
        ImageReference _ = ImageReference.parse(slash < 0 ? text + "/any/any" : text + "/any");
        if (!ImageReference.parse(host + "/any/any").registry().equals(host)) {
            throw new IllegalArgumentException("'" + text + "' does not begin with the host of a registry");
        }
    }

    /**
     * Parses what users write; {@code index.docker.io} is {@code docker.io}.
     *
     * @throws IllegalArgumentException when it does not begin with the host of a registry, or has no such repositories
     */
    public static RepositoryPrefix parse(String text) {
        String hub = "index.docker.io";
        boolean alias = text.equals(hub) || text.startsWith(hub + "/");
        return new RepositoryPrefix(alias ? text.substring("index.".length()) : text);
    }

    /** The repository of a reference. */
    public static RepositoryPrefix of(ImageReference reference) {
        return new RepositoryPrefix(reference.registry() + "/" + reference.repository());
    }

    /** Whether the repository of {@code reference} is this one or below it. */
    public boolean contains(ImageReference reference) {
        String name = reference.registry() + "/" + reference.repository();
        return name.equals(text) || name.startsWith(text + "/");
    }

    @Override
    public String toString() {
        return text;
    }
}
