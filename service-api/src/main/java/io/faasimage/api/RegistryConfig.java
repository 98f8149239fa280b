package io.faasimage.api;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where registry-service is and how long to wait for it.
 *
 * @param base for example {@code http://127.0.0.1:8980}
 * @param token bearer token, when the service has one
 * @param connectTimeout for a connection
 * @param answerTimeout from the request to the answer's headers
 */
public record RegistryConfig(URI base, Optional<String> token, Duration connectTimeout, Duration answerTimeout) {
    /** Checks that the URL is absolute HTTP or HTTPS. */
    public RegistryConfig {
        String scheme = base.getScheme();
        if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("not an http or https URL: " + base);
        }
    }

    /** Two seconds to connect, thirty for an answer. */
    public static RegistryConfig of(URI base, Optional<String> token) {
        return new RegistryConfig(base, token, Duration.ofSeconds(2), Duration.ofSeconds(30));
    }

    /** The same service with other limits. */
    public RegistryConfig withTimeouts(Duration connect, Duration answer) {
        return new RegistryConfig(base, token, connect, answer);
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return base.toString();
    }
}
