package io.faasimage.registry.platform.config;

import io.faasimage.api.token.Scope;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sign-in by OpenID Connect.
 *
 * @param issuer address of the provider, exactly as its tokens name it; there is no such sign-in when it is absent
 * @param clientId ID of this service at the provider, with which people sign in to the dashboard; they cannot when it
 *     is absent
 * @param clientSecret file with the client's secret, read for each sign-in; a public client has none
 * @param audience that tokens of the provider must have which programs present to the API; none are accepted when it is
 *     absent
 * @param groupsClaim claim with the groups of a person or program: a list, or one name
 * @param nameClaim claim with the name that messages and the audit log show; the subject where a token has none
 * @param scopesByGroup permissions of a group's members: {@code view}, {@code deploy}, {@code admin}
 * @param request scopes that the dashboard requests of the provider
 * @param dashboard address of this service as browsers see it, such as {@code https://faasimage.example}; as the
 *     request says when it is absent
 * @param ca PEM file of authorities that the provider's certificate may be from, besides the JVM's own
 */
@ConfigurationProperties("faasimage.oidc")
public record OidcSettings(
        @Nullable String issuer,
        @Nullable String clientId,
        @Nullable Path clientSecret,
        @Nullable String audience,
        @DefaultValue("groups") String groupsClaim,
        @DefaultValue("preferred_username") String nameClaim,
        @DefaultValue Map<String, List<Scope>> scopesByGroup,
        @DefaultValue({"openid", "profile"}) List<String> request,
        @Nullable URI dashboard,
        @Nullable Path ca) {
    /** Checks that settings that belong together are there. */
    public OidcSettings {
        scopesByGroup = Map.copyOf(scopesByGroup);
        request = List.copyOf(request);
        if (issuer != null) {
            ProviderAddress.parse(issuer);
            if (clientId == null && audience == null) {
                throw new IllegalArgumentException("faasimage.oidc.issuer needs faasimage.oidc.client-id for the"
                        + " dashboard, faasimage.oidc.audience for the API, or both");
            }
            if (scopesByGroup.isEmpty()) {
                throw new IllegalArgumentException("faasimage.oidc.issuer needs faasimage.oidc.scopes-by-group[GROUP]:"
                        + " without it no person may do anything");
            }
        }
        if (scopesByGroup.values().stream().anyMatch(scopes -> scopes.isEmpty() || scopes.contains(Scope.NODE))) {
            throw new IllegalArgumentException(
                    "faasimage.oidc.scopes-by-group[GROUP] is some of view, deploy, build and admin");
        }
        if (!request.contains("openid")) {
            throw new IllegalArgumentException("faasimage.oidc.request must contain openid");
        }
    }
}
