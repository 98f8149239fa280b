package io.faasimage.registry.access.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.faasimage.api.token.TokenKind;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.registry.platform.config.ProviderAddress;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.MappedJwtClaimSetConverter;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * An issuer of signed tokens (RFC 7519, RFC 8725). Nothing is read before the first token. Keys are kept for ten
 * minutes, and for four hours while the issuer is away. A token that names an unknown key makes them
 * be read again, twice in ten seconds at most, however many come. Thread-safe.
 */
final class Issuer {
    private static final Logger LOG = LoggerFactory.getLogger(Issuer.class);
    private static final int LIMIT_MILLIS = 5_000;
    private static final int MOST_BYTES = 512 * 1024;
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private final String name;
    private final @Nullable Path authorities;
    private final @Nullable Path bearer;
    private final Clock clock;
    private final JWKSource<SecurityContext> keys;

    /**
     * @param name exactly as its tokens have it
     * @param authorities PEM file of authorities besides the JVM's own
     * @param bearer file with a token that reading the document and the keys requires
     */
    Issuer(String name, @Nullable Path authorities, @Nullable Path bearer, Clock clock) {
        this.name = name;
        this.authorities = authorities;
        this.bearer = bearer;
        this.clock = clock;
        this.keys = JWKSourceBuilder.create(new Keys())
                .cache(Duration.ofMinutes(10).toMillis(), Duration.ofSeconds(15).toMillis())
                .refreshAheadCache(false)
                .rateLimited(Duration.ofSeconds(10).toMillis())
                .outageTolerant(Duration.ofHours(4).toMillis())
                .build();
    }

    /**
     * An address of the discovery document (OpenID Connect Discovery 1.0, section 3).
     *
     * @throws IOException when the issuer is away, or its document is another issuer's or has no such address
     */
    URI address(String member) throws IOException {
        try {
            Map<String, Object> document = JSONObjectUtils.parse(
                    get(URI.create(name.replaceFirst("/$", "") + "/.well-known/openid-configuration")));
            if (!name.equals(document.get("issuer"))) {
                throw new IOException("the discovery document of " + name + " is that of '" + document.get("issuer")
                        + "'; set exactly its issuer");
            }
            return ProviderAddress.parse(String.valueOf(document.get(member)));
        } catch (ParseException | IllegalArgumentException e) {
            throw new IOException(
                    "the discovery document of " + name + " has no readable " + member + ": " + e.getMessage(), e);
        }
    }

    /** The key set at the address that the discovery document names. */
    private final class Keys implements JWKSetSource<SecurityContext> {
        @Override
        public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
                throws KeySourceException {
            try {
                return JWKSet.parse(get(address("jwks_uri")));
            } catch (IOException | IllegalArgumentException | ParseException e) {
                throw new JWKSetUnavailableException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public void close() {
            // It has nothing open.
        }
    }

    private String get(URI address) throws IOException {
        DefaultResourceRetriever http =
                new DefaultResourceRetriever(
                        LIMIT_MILLIS,
                        LIMIT_MILLIS,
                        MOST_BYTES,
                        true,
                        authorities == null
                                ? null
                                : TrustedAuthorities.with(authorities).context().getSocketFactory()) {
                    @Override
                    protected HttpURLConnection openHTTPConnection(URL url) throws IOException {
                        HttpURLConnection connection = super.openHTTPConnection(url);
                        connection.setInstanceFollowRedirects(false);
                        return connection;
                    }
                };
        if (bearer != null) {
            http.setHeaders(Map.of(
                    "Authorization",
                    List.of("Bearer " + Files.readString(bearer).strip())));
        }
        try {
            return http.retrieveResource(address.toURL()).getContent();
        } catch (IOException e) {
            throw new IOException("GET " + address + " failed: " + e.getMessage(), e);
        }
    }

    /** A decoder of tokens that one of the keys has signed with an asymmetric algorithm, and that are valid. */
    NimbusJwtDecoder decoder(OAuth2TokenValidator<Jwt> validator) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        // RFC 9068 names access tokens at+jwt.
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        // No symmetric ones: the public key would be the secret of a forger.
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.Family.SIGNATURE, keys));
        processor.setJWTClaimsSetVerifier((claims, context) -> {});
        NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
        decoder.setJwtValidator(validator);
        return decoder;
    }

    /** A decoder of the tokens for {@code audience}, those included that have expired. */
    JwtDecoder decoder(String audience) {
        NimbusJwtDecoder decoder = decoder(token -> {
            Instant begin = token.getNotBefore();
            List<String> wanted = token.getAudience();
            return name.equals(token.getClaimAsString("iss"))
                            && wanted != null
                            && wanted.contains(audience)
                            && token.getSubject() != null
                            && token.getExpiresAt() != null
                            && (begin == null || !begin.isAfter(clock.instant().plus(TOLERANCE)))
                    ? OAuth2TokenValidatorResult.success()
                    : OAuth2TokenValidatorResult.failure(new OAuth2Error(
                            "invalid_token", "it is not of this issuer, not for this service, or not valid now", null));
        });
        // When it was issued does not matter; a Jwt refuses to have expired before.
        decoder.setClaimSetConverter(MappedJwtClaimSetConverter.withDefaults(Map.of("iat", issued -> Instant.EPOCH)));
        return decoder;
    }

    /**
     * Verifies a token, and refuses one that has expired or whose owner may do nothing.
     *
     * @param identify gives the owner of a token
     * @param permitsNothing gives the reason for refusing an owner without permissions
     */
    TokenCheck check(
            JwtDecoder decoder,
            String text,
            Function<Jwt, Identity> identify,
            Function<Identity, String> permitsNothing) {
        Jwt token;
        Identity owner;
        try {
            token = decoder.decode(text);
            owner = identify.apply(token);
        } catch (JwtException | IllegalArgumentException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof KeySourceException) {
                    return new TokenCheck.Unverifiable("the keys of " + name + " cannot be read now: "
                            + (cause instanceof RateLimitReachedException
                                    ? "the key of the token is not known, and they were read less than 10 s ago"
                                    : cause.getMessage()));
                }
            }
            LOG.debug("a token that claims to be of {} is not accepted: {}", name, e.getMessage());
            return new TokenCheck.Unknown();
        }
        if (!clock.instant().minus(TOLERANCE).isBefore(token.getExpiresAt())) {
            return new TokenCheck.Refused(
                    owner, "the token of " + owner.name() + " has expired; get another one of " + name);
        }
        return owner.scopes().isEmpty() && owner.kind() != TokenKind.ENROLMENT
                ? new TokenCheck.Refused(owner, permitsNothing.apply(owner))
                : new TokenCheck.Accepted(owner);
    }
}
