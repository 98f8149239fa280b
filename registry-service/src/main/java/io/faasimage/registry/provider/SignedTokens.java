package io.faasimage.registry.provider;

import com.nimbusds.jose.JOSEException;
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
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The verifier of the tokens of one issuer (RFC 7519, RFC 8725): signature by one of its keys with an asymmetric
 * algorithm, issuer, audience, expiry with a minute of tolerance. The keys are read with the first token and kept for
 * ten minutes. A token that names an unknown key makes them be read again, twice in ten seconds at most, however many
 * come. While the issuer is away, the last keys count for four hours. Thread-safe.
 */
public final class SignedTokens {
    private static final int LONGEST = 16 * 1024;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");
    private static final long KEPT = Duration.ofMinutes(10).toMillis();
    private static final long LOCK = Duration.ofSeconds(15).toMillis();
    private static final long INTERVAL = Duration.ofSeconds(10).toMillis();
    private static final long OUTAGE = Duration.ofHours(4).toMillis();

    /** No symmetric one: the public key would be the secret of a forger. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final Provider provider;
    private final Clock clock;
    private final JWKSource<SecurityContext> keys;
    private final Map<String, DefaultJWTProcessor<SecurityContext>> byAudience = new ConcurrentHashMap<>();

    /** A verifier that has read nothing yet. */
    public SignedTokens(Provider provider, Clock clock) {
        this.provider = provider;
        this.clock = clock;
        this.keys = JWKSourceBuilder.create(new Keys(provider))
                .cache(KEPT, LOCK)
                .refreshAheadCache(false)
                .rateLimited(INTERVAL)
                .outageTolerant(OUTAGE)
                .build();
    }

    /** The key set at the address that the discovery document names. */
    private record Keys(Provider provider) implements JWKSetSource<SecurityContext> {
        @Override
        public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
                throws KeySourceException {
            try {
                return JWKSet.parse(provider.http().get(provider.document().keys()));
            } catch (ProviderException e) {
                throw new JWKSetUnavailableException(String.valueOf(e.getMessage()), e);
            } catch (ParseException e) {
                throw new JWKSetUnavailableException(
                        "the key set of " + provider.issuer() + " cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            // It has nothing open.
        }
    }

    /** The issuer that a token names, unverified; empty when the text is no signed token. */
    public static Optional<String> claimedIssuer(String text) {
        if (text.length() > LONGEST || !FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(SignedJWT.parse(text).getJWTClaimsSet().getIssuer());
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    /** Verifies a token that must be for {@code audience}. */
    public SignedToken verify(String text, String audience) {
        if (text.length() > LONGEST) {
            return new SignedToken.Invalid("it is longer than " + LONGEST + " characters");
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            try {
                return new SignedToken.Valid(
                        byAudience.computeIfAbsent(audience, this::processor).process(token, null));
            } catch (ExpiredJWTException e) {
                // Thrown after the signature, issuer and audience were found right.
                return new SignedToken.Expired(token.getJWTClaimsSet());
            }
        } catch (ParseException | BadJOSEException e) {
            return new SignedToken.Invalid(String.valueOf(e.getMessage()));
        } catch (RateLimitReachedException e) {
            return new SignedToken.Unverifiable("the key of the token is not known, and the keys of "
                    + provider.issuer() + " were read less than " + INTERVAL / 1000 + " s ago; try again then");
        } catch (KeySourceException e) {
            return new SignedToken.Unverifiable(
                    "the keys of " + provider.issuer() + " cannot be read now: " + e.getMessage());
        } catch (JOSEException e) {
            return new SignedToken.Invalid(String.valueOf(e.getMessage()));
        }
    }

    private DefaultJWTProcessor<SecurityContext> processor(String audience) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        // RFC 9068 names access tokens at+jwt.
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        processor.setJWTClaimsSetVerifier(new Claims(
                audience, new JWTClaimsSet.Builder().issuer(provider.issuer()).build(), clock));
        return processor;
    }

    /** The check of the claims, by the service's clock. */
    private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final Clock clock;

        Claims(String audience, JWTClaimsSet exact, Clock clock) {
            super(Set.of(audience), exact, Set.of("sub", "exp"), Set.of());
            this.clock = clock;
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }
}
