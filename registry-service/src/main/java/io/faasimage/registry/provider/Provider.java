package io.faasimage.registry.provider;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An issuer of signed tokens. Its discovery document is read when it is needed and kept for an hour; while the issuer
 * is away, the last one counts. A failure is remembered for five seconds, so that callers do not wait one after the
 * other. Thread-safe.
 */
public final class Provider {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";

    private final String issuer;
    private final ProviderHttp http;
    private final Clock clock;
    private @Nullable ProviderDocument document;
    private @Nullable ProviderException failure;
    private Instant next = Instant.MIN;

    /**
     * @param issuer exactly as its tokens name it
     * @param authorities PEM file of authorities besides the JVM's own
     * @param bearer file with a token that reading the document and the keys requires
     */
    public Provider(String issuer, @Nullable Path authorities, @Nullable Path bearer, Clock clock) {
        this.issuer = issuer;
        this.http = new ProviderHttp(authorities, bearer);
        this.clock = clock;
    }

    public String issuer() {
        return issuer;
    }

    ProviderHttp http() {
        return http;
    }

    synchronized ProviderDocument document() throws ProviderException {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            if (document != null) {
                return document;
            }
            if (failure != null) {
                throw new ProviderException(String.valueOf(failure.getMessage()), failure);
            }
        }
        try {
            String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
            document = ProviderDocument.parse(issuer, http.get(URI.create(base + WELL_KNOWN)));
            next = now.plus(KEPT);
            return document;
        } catch (ProviderException e) {
            failure = e;
            next = now.plus(PAUSE);
            if (document == null) {
                throw e;
            }
            return document;
        }
    }

    /** A text as a part of a query or a form. */
    static String encoded(String text) {
        return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
