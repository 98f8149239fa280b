package io.faasimage.registry.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.config.ServiceAccountSettings;
import io.faasimage.registry.provider.Provider;
import io.faasimage.registry.provider.SignedToken;
import io.faasimage.registry.provider.SignedTokens;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The service accounts of a Kubernetes cluster. The token of one that may enrol nodes is an enrolment of the node on
 * which its pod runs, as the token names it since Kubernetes 1.32; of any node where it names none. Thread-safe.
 */
@Component
class ServiceAccounts implements TokenIssuer {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceAccounts.class);

    private final ServiceAccountSettings settings;
    private final @Nullable SignedTokens tokens;

    ServiceAccounts(ServiceAccountSettings settings, Clock clock) {
        this.settings = settings;
        this.tokens = settings.issuer() == null
                ? null
                : new SignedTokens(new Provider(settings.issuer(), settings.ca(), settings.tokenFile(), clock), clock);
    }

    @Override
    public boolean isOf(String claimedIssuer) {
        return claimedIssuer.equals(settings.issuer());
    }

    @Override
    public TokenCheck check(String token) {
        return switch (Objects.requireNonNull(tokens).verify(token, settings.audience())) {
            case SignedToken.Valid valid -> accepted(valid.claims());
            case SignedToken.Expired expired ->
                new TokenCheck.Refused(
                        identity(expired.claims(), List.of()),
                        "the token of " + expired.claims().getSubject() + " has expired");
            case SignedToken.Invalid invalid -> {
                LOG.debug("a token that claims to be of {} is not accepted: {}", settings.issuer(), invalid.reason());
                yield new TokenCheck.Unknown();
            }
            case SignedToken.Unverifiable away -> new TokenCheck.Unverifiable(away.reason());
        };
    }

    private TokenCheck accepted(JWTClaimsSet claims) {
        List<Scope> scopes = settings.subjects().getOrDefault(claims.getSubject(), List.of());
        Identity identity = identity(claims, scopes);
        return scopes.isEmpty()
                ? new TokenCheck.Refused(
                        identity, claims.getSubject() + " is not among --faasimage.service-accounts.subjects[SUBJECT]")
                : new TokenCheck.Accepted(identity);
    }

    private Identity identity(JWTClaimsSet claims, List<Scope> scopes) {
        boolean enrols = scopes.contains(Scope.NODE);
        Set<Scope> others = EnumSet.noneOf(Scope.class);
        others.addAll(scopes);
        others.remove(Scope.NODE);
        String subject = claims.getSubject()
                .substring(0, Math.min(255, claims.getSubject().length()));
        return new Identity(
                Identity.SERVICE_ACCOUNT + subject,
                "the service account " + subject,
                enrols ? TokenKind.ENROLMENT : TokenKind.TOKEN,
                others,
                enrols ? node(claims) : Optional.empty());
    }

    private static Optional<String> node(JWTClaimsSet claims) {
        return claims.getClaim("kubernetes.io") instanceof Map<?, ?> bound
                        && bound.get("node") instanceof Map<?, ?> node
                        && node.get("name") instanceof String name
                ? Optional.of(name)
                : Optional.empty();
    }
}
