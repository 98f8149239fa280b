package io.faasimage.registry.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.config.OidcSettings;
import io.faasimage.registry.provider.CodeExchange;
import io.faasimage.registry.provider.Provider;
import io.faasimage.registry.provider.ProviderException;
import io.faasimage.registry.provider.SignedToken;
import io.faasimage.registry.provider.SignedTokens;
import java.text.ParseException;
import java.time.Clock;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The people and programs of the OpenID Connect provider. The permissions of each are the sum of those of its groups;
 * the settings are read each time, so a sign-in never outlives a group's permission there. Thread-safe.
 */
@Component
public class People implements TokenIssuer {
    private static final Logger LOG = LoggerFactory.getLogger(People.class);

    private record Client(SignedTokens tokens, CodeExchange exchange, String id) {}

    private final OidcSettings settings;
    private final @Nullable SignedTokens tokens;
    private final @Nullable Client client;

    People(OidcSettings settings, Clock clock) {
        this.settings = settings;
        if (settings.issuer() == null) {
            this.tokens = null;
            this.client = null;
            return;
        }
        Provider provider = new Provider(settings.issuer(), settings.ca(), null, clock);
        this.tokens = new SignedTokens(provider, clock);
        this.client = settings.clientId() == null
                ? null
                : new Client(
                        tokens,
                        new CodeExchange(
                                provider,
                                settings.clientId(),
                                settings.clientSecret(),
                                String.join(" ", settings.request())),
                        settings.clientId());
    }

    @Override
    public boolean isOf(String claimedIssuer) {
        return settings.audience() != null && claimedIssuer.equals(settings.issuer());
    }

    @Override
    public TokenCheck check(String token) {
        String audience = Objects.requireNonNull(settings.audience());
        return switch (Objects.requireNonNull(tokens).verify(token, audience)) {
            case SignedToken.Valid valid -> accepted(person(valid.claims()));
            case SignedToken.Expired expired -> {
                Person person = person(expired.claims());
                yield new TokenCheck.Refused(
                        identity(person),
                        "the token of " + person.name() + " has expired; get another one of " + settings.issuer());
            }
            case SignedToken.Invalid invalid -> {
                LOG.debug("a token that claims to be of {} is not accepted: {}", settings.issuer(), invalid.reason());
                yield new TokenCheck.Unknown();
            }
            case SignedToken.Unverifiable away -> new TokenCheck.Unverifiable(away.reason());
        };
    }

    private TokenCheck accepted(Person person) {
        Identity identity = identity(person);
        return identity.scopes().isEmpty()
                ? new TokenCheck.Refused(
                        identity,
                        person.name() + " is in no group that may do anything here; the groups are those of"
                                + " --faasimage.oidc.scopes-by-group, compared with the claim '"
                                + settings.groupsClaim() + "'")
                : new TokenCheck.Accepted(identity);
    }

    /** Whether people can sign in to the dashboard. */
    public boolean canSignIn() {
        return client != null;
    }

    /** The issuer, which signs in; only where {@link #canSignIn()}. */
    public String issuer() {
        return Objects.requireNonNull(settings.issuer());
    }

    /** The address at the provider at which a person signs in. */
    public String address(CodeExchange.Attempt attempt) throws ProviderException {
        return client().exchange().address(attempt).toString();
    }

    private Client client() {
        return Objects.requireNonNull(client, "no sign-in by OpenID Connect is configured");
    }

    /**
     * The person who has signed in at the provider, by the code that the browser came back with.
     *
     * @throws ProviderException when the provider is away, or the code or its token is not right
     */
    public Person redeem(String code, CodeExchange.Attempt attempt) throws ProviderException {
        String token = client().exchange().redeem(code, attempt);
        return switch (client().tokens().verify(token, client().id())) {
            case SignedToken.Valid valid -> {
                requireRightParty(valid.claims(), attempt.nonce());
                yield person(valid.claims());
            }
            case SignedToken.Expired _ -> throw ProviderException.of(issuer(), "its ID token has expired");
            case SignedToken.Invalid invalid -> throw ProviderException.of(issuer(), invalid.reason());
            case SignedToken.Unverifiable away -> throw ProviderException.of(issuer(), away.reason());
        };
    }

    /** OpenID Connect Core 1.0, section 3.1.3.7: the ID token is the answer to this request, and for us. */
    private void requireRightParty(JWTClaimsSet claims, String nonce) throws ProviderException {
        if (!nonce.equals(text(claims, "nonce").orElse(""))) {
            throw ProviderException.of(issuer(), "its ID token has another nonce");
        }
        Optional<String> party = text(claims, "azp");
        if (!party.orElse(client().id()).equals(client().id())
                || (claims.getAudience().size() > 1 && party.isEmpty())) {
            throw ProviderException.of(issuer(), "its ID token is for another client");
        }
    }

    /** Accepts a person who has signed in, or reports the reason for a refusal. */
    public TokenCheck recheck(Person person) {
        return accepted(person);
    }

    private Identity identity(Person person) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        person.groups().forEach(group -> scopes.addAll(settings.scopesByGroup().getOrDefault(group, List.of())));
        return new Identity(
                "person " + person.subject(), "user " + person.name(), TokenKind.TOKEN, scopes, Optional.empty());
    }

    private Person person(JWTClaimsSet claims) {
        return new Person(
                claims.getSubject(),
                text(claims, settings.nameClaim()).orElse(claims.getSubject()),
                groups(claims.getClaim(settings.groupsClaim())).stream()
                        .filter(settings.scopesByGroup()::containsKey)
                        .distinct()
                        .toList());
    }

    private static List<String> groups(@Nullable Object claim) {
        return switch (claim) {
            case String one -> List.of(one);
            case Collection<?> several ->
                several.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList();
            case null, default -> List.of();
        };
    }

    private static Optional<String> text(JWTClaimsSet claims, String name) {
        try {
            return Optional.ofNullable(claims.getStringClaim(name));
        } catch (ParseException e) {
            return Optional.empty();
        }
    }
}
