package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.registry.platform.config.OidcSettings;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.stereotype.Component;

/**
 * The people and programs of the OpenID Connect provider. The permissions of each are the sum of those of its groups;
 * the settings are read each time, so a sign-in never outlives a group's permission there. Thread-safe.
 */
@Component
public class People implements TokenIssuer {
    /** The name of the provider in addresses of the dashboard. */
    public static final String PROVIDER = "provider";

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final OidcSettings settings;
    private final Clock clock;
    private final @Nullable Issuer issuer;
    private final @Nullable JwtDecoder tokens;

    People(OidcSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.issuer = settings.issuer() == null ? null : new Issuer(settings.issuer(), settings.ca(), null, clock);
        this.tokens = issuer == null || settings.audience() == null ? null : issuer.decoder(settings.audience());
    }

    @Override
    public boolean isOf(String claimedIssuer) {
        return settings.audience() != null && claimedIssuer.equals(settings.issuer());
    }

    @Override
    public TokenCheck check(String token) {
        return Objects.requireNonNull(issuer)
                .check(Objects.requireNonNull(tokens), token, claims -> identity(person(claims)), this::permitsNothing);
    }

    private String permitsNothing(Identity person) {
        return person.name().substring("user ".length())
                + " is in no group that may do anything here; the groups are those of"
                + " --faasimage.oidc.scopes-by-group, compared with the claim '" + settings.groupsClaim() + "'";
    }

    /** Accepts a person who has signed in, or reports the reason for a refusal. */
    public TokenCheck recheck(Person person) {
        Identity identity = identity(person);
        return identity.scopes().isEmpty()
                ? new TokenCheck.Refused(identity, permitsNothing(identity))
                : new TokenCheck.Accepted(identity);
    }

    /** Whether people can sign in to the dashboard. */
    public boolean canSignIn() {
        return settings.clientId() != null && settings.issuer() != null;
    }

    /** The issuer, which signs in; only where {@link #canSignIn()}. */
    public String issuer() {
        return Objects.requireNonNull(settings.issuer());
    }

    /**
     * The dashboard as a client of the provider, with the secret as the file has it now.
     *
     * @param answer path to which the provider sends the browser back
     * @throws IOException when the provider is away, or the secret cannot be read
     */
    public ClientRegistration registration(String answer) throws IOException {
        Issuer known = Objects.requireNonNull(issuer);
        URI dashboard = settings.dashboard();
        ClientRegistration.Builder client = ClientRegistration.withRegistrationId(PROVIDER)
                .clientId(Objects.requireNonNull(settings.clientId()))
                .clientAuthenticationMethod(
                        settings.clientSecret() == null
                                ? ClientAuthenticationMethod.NONE
                                : ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(
                        (dashboard == null ? "{baseUrl}" : dashboard.toString().replaceFirst("/+$", "")) + answer)
                .scope(settings.request())
                .issuerUri(settings.issuer())
                .authorizationUri(known.address("authorization_endpoint").toString())
                .tokenUri(known.address("token_endpoint").toString())
                .clientSettings(ClientRegistration.ClientSettings.builder()
                        .requireProofKey(true)
                        .build());
        if (settings.clientSecret() != null) {
            client.clientSecret(Files.readString(settings.clientSecret()).strip());
        }
        return client.build();
    }

    /** A decoder of the provider's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7). */
    public JwtDecoder idTokens(ClientRegistration client) {
        OidcIdTokenValidator validator = new OidcIdTokenValidator(client);
        validator.setClock(clock);
        return Objects.requireNonNull(issuer).decoder(validator);
    }

    /** A client for the exchange of codes. */
    public HttpClient http() {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT);
        if (settings.ca() != null) {
            try {
                client.sslContext(TrustedAuthorities.with(settings.ca()).context());
            } catch (IOException e) {
                throw new StartFailure("--faasimage.oidc.ca cannot be used: " + e.getMessage(), e);
            }
        }
        return client.build();
    }

    private Identity identity(Person person) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        person.groups().forEach(group -> scopes.addAll(settings.scopesByGroup().getOrDefault(group, List.of())));
        return new Identity(
                "person " + person.subject(), "user " + person.name(), TokenKind.TOKEN, scopes, Optional.empty());
    }

    /** The person whom a token of the provider is about. */
    public Person person(ClaimAccessor claims) {
        String subject = Objects.requireNonNull(claims.getClaimAsString("sub"), "decoders require a subject");
        return new Person(
                subject,
                claims.getClaim(settings.nameClaim()) instanceof String name ? name : subject,
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
}
