package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.platform.config.ServiceAccountSettings;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.stereotype.Component;

/**
 * The service accounts of a Kubernetes cluster. The token of one that may enrol nodes is an enrolment of the node on
 * which its pod runs, as the token names it since Kubernetes 1.32; of any node where it names none. Thread-safe.
 */
@Component
class ServiceAccounts implements TokenIssuer {
    private final ServiceAccountSettings settings;
    private final @Nullable Issuer issuer;
    private final @Nullable JwtDecoder tokens;

    ServiceAccounts(ServiceAccountSettings settings, Clock clock) {
        this.settings = settings;
        this.issuer = settings.issuer() == null
                ? null
                : new Issuer(settings.issuer(), settings.ca(), settings.tokenFile(), clock);
        this.tokens = issuer == null ? null : issuer.decoder(settings.audience());
    }

    @Override
    public boolean isOf(String claimedIssuer) {
        return claimedIssuer.equals(settings.issuer());
    }

    @Override
    public TokenCheck check(String token) {
        return Objects.requireNonNull(issuer)
                .check(
                        Objects.requireNonNull(tokens),
                        token,
                        this::identity,
                        account -> account.name() + " is not among --faasimage.service-accounts.subjects[SUBJECT]");
    }

    private Identity identity(Jwt token) {
        String subject = Objects.requireNonNull(token.getSubject(), "decoders require a subject");
        List<Scope> scopes = settings.subjects().getOrDefault(subject, List.of());
        boolean enrols = scopes.contains(Scope.NODE);
        Set<Scope> others = EnumSet.noneOf(Scope.class);
        others.addAll(scopes);
        others.remove(Scope.NODE);
        String name = subject.substring(0, Math.min(255, subject.length()));
        return new Identity(
                Identity.SERVICE_ACCOUNT + name,
                "the service account " + name,
                enrols ? TokenKind.ENROLMENT : TokenKind.TOKEN,
                others,
                enrols ? node(token) : Optional.empty());
    }

    private static Optional<String> node(Jwt token) {
        return token.getClaim("kubernetes.io") instanceof Map<?, ?> bound
                        && bound.get("node") instanceof Map<?, ?> node
                        && node.get("name") instanceof String name
                ? Optional.of(name)
                : Optional.empty();
    }
}
