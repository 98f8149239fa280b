package io.faasimage.api.client;

import io.faasimage.api.trust.ClientTls;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The addresses of registry-service and the time limits of its client.
 *
 * @param addresses for example {@code http://127.0.0.1:8980}; tried in this order, one that failed a moment ago last
 * @param tokens supplies the bearer token of each request, when the service has one; must not block
 * @param connectTimeout for a connection
 * @param answerTimeout from the request to the answer's headers
 * @param silence the longest time for one read of a body
 * @param rate the minimum rate of a body
 * @param transport the authorities to trust, and the certificate to present
 * @param tls connections by these options. Copies with other limits share it, so that a new connection of one resumes
 *     the TLS session of another instead of verifying certificates again
 */
public record ServiceConfig(
        List<URI> addresses,
        Supplier<Optional<String>> tokens,
        Duration connectTimeout,
        Duration answerTimeout,
        Duration silence,
        MinimumRate rate,
        TransportOptions transport,
        ClientTls tls) {
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** Checks that there is one at least, and that all are absolute HTTP or HTTPS. */
    public ServiceConfig {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no address of the service is configured");
        }
        addresses.forEach(ServiceConfig::check);
    }

    private static void check(URI address) {
        String scheme = address.getScheme();
        if (address.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("not an http or https URL: " + address);
        }
    }

    /**
     * Reads addresses that are separated by commas.
     *
     * @throws IllegalArgumentException when one is not an HTTP or HTTPS URL
     */
    public static List<URI> parse(String text) {
        List<URI> addresses = Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(URI::create)
                .toList();
        addresses.forEach(ServiceConfig::check);
        return addresses;
    }

    /** As {@link #parse} reads them. */
    public static String format(List<URI> addresses) {
        return addresses.stream().map(URI::toString).collect(Collectors.joining(","));
    }

    /** With one token that never changes. */
    public ServiceConfig(URI base, Optional<String> token, Duration connectTimeout, Duration answerTimeout) {
        this(
                List.of(base),
                () -> token,
                connectTimeout,
                answerTimeout,
                SILENCE,
                MinimumRate.STANDARD,
                TransportOptions.USUAL,
                TransportOptions.USUAL.tls());
    }

    /** Two seconds to connect, thirty for an answer; one token that never changes. */
    public static ServiceConfig of(URI base, Optional<String> token) {
        return of(base, () -> token);
    }

    /** Two seconds to connect, thirty for an answer; a token that may change. */
    public static ServiceConfig of(URI base, Supplier<Optional<String>> tokens) {
        return of(List.of(base), tokens);
    }

    /** A service with several addresses; two seconds to connect, thirty for an answer; a token that may change. */
    public static ServiceConfig of(List<URI> addresses, Supplier<Optional<String>> tokens) {
        return new ServiceConfig(
                addresses,
                tokens,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                SILENCE,
                MinimumRate.STANDARD,
                TransportOptions.USUAL,
                TransportOptions.USUAL.tls());
    }

    /** The address that comes first. */
    public URI base() {
        return addresses.getFirst();
    }

    /** The token to use now. */
    public Optional<String> token() {
        return tokens.get();
    }

    /** The same service with other limits. */
    public ServiceConfig withTimeouts(Duration connect, Duration answer) {
        return new ServiceConfig(addresses, tokens, connect, answer, silence, rate, transport, tls);
    }

    /** The same service with another limit for one read of a body. */
    public ServiceConfig withSilence(Duration longest) {
        return new ServiceConfig(addresses, tokens, connectTimeout, answerTimeout, longest, rate, transport, tls);
    }

    /** The same service with another minimum rate. */
    public ServiceConfig withRate(MinimumRate least) {
        return new ServiceConfig(addresses, tokens, connectTimeout, answerTimeout, silence, least, transport, tls);
    }

    /** The same service, reached in another way. */
    public ServiceConfig withTransport(TransportOptions other) {
        return new ServiceConfig(addresses, tokens, connectTimeout, answerTimeout, silence, rate, other, other.tls());
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return format(addresses);
    }
}
