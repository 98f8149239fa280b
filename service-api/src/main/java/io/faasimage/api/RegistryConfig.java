package io.faasimage.api;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where registry-service is and how long to wait for it.
 *
 * @param base for example {@code http://127.0.0.1:8980}
 * @param tokens asked at every request for the bearer token, when the service has one; must not block
 * @param connectTimeout for a connection
 * @param answerTimeout from the request to the answer's headers
 * @param silence the longest time for one read of a body that its reader does not bound more closely
 */
public record RegistryConfig(
        URI base,
        Supplier<Optional<String>> tokens,
        Duration connectTimeout,
        Duration answerTimeout,
        Duration silence) {
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** Checks that the URL is absolute HTTP or HTTPS. */
    public RegistryConfig {
        String scheme = base.getScheme();
        if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("not an http or https URL: " + base);
        }
    }

    /** With one token for good. */
    public RegistryConfig(URI base, Optional<String> token, Duration connectTimeout, Duration answerTimeout) {
        this(base, () -> token, connectTimeout, answerTimeout, SILENCE);
    }

    /** Two seconds to connect, thirty for an answer; one token for good. */
    public static RegistryConfig of(URI base, Optional<String> token) {
        return of(base, () -> token);
    }

    /** Two seconds to connect, thirty for an answer; a token that may change. */
    public static RegistryConfig of(URI base, Supplier<Optional<String>> tokens) {
        return new RegistryConfig(base, tokens, Duration.ofSeconds(2), Duration.ofSeconds(30), SILENCE);
    }

    /** The token to use now. */
    public Optional<String> token() {
        return tokens.get();
    }

    /** The same service with other limits. */
    public RegistryConfig withTimeouts(Duration connect, Duration answer) {
        return new RegistryConfig(base, tokens, connect, answer, silence);
    }

    /** The same service with another limit for one read of a body. */
    public RegistryConfig withSilence(Duration longest) {
        return new RegistryConfig(base, tokens, connectTimeout, answerTimeout, longest);
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return base.toString();
    }
}
