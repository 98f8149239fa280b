package io.faasimage.api.image;

/**
 * The readiness probe of a function: an HTTP GET inside its network namespace answers 2xx.
 *
 * @param port TCP port, 1 to 65535
 * @param path absolute path
 */
public record Readiness(int port, String path) {
    /** Checks port and path. */
    public Readiness {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("readiness port must be 1 to 65535, not " + port);
        }
        if (!path.startsWith("/") || path.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "readiness path must start with '/' and have neither spaces nor non-ASCII characters: '" + path
                            + "'");
        }
    }
}
