package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.platform.audit.Actor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/**
 * A caller: the token that it presented, and the permissions of that token.
 *
 * @param id of the token, or a word for one of the settings
 * @param name how messages and logs call the token; no secret
 * @param kind the issuer of the token
 * @param scopes its permissions
 * @param node the only node that it may report; empty for any
 */
public record Identity(String id, String name, TokenKind kind, Set<Scope> scopes, Optional<String> node) {
    /** Prefix of the IDs of service accounts. */
    static final String SERVICE_ACCOUNT = "account ";

    /** The caller with the service's token. */
    public static final Identity ADMINISTRATOR = ofSettings("service", "the service's own token", Scope.ADMIN);

    /** The caller with the viewers' token of the settings. */
    public static final Identity VIEWER = ofSettings("viewers", "the viewers' token", Scope.VIEW);

    /** A browser without a sign-in, where the settings make it a viewer. */
    public static final Identity ANONYMOUS = ofSettings("anonymous", "an anonymous viewer", Scope.VIEW);

    public Identity {
        scopes = Set.copyOf(scopes);
    }

    private static Identity ofSettings(String id, String name, Scope scope) {
        return new Identity(id, name, TokenKind.TOKEN, Set.of(scope), Optional.empty());
    }

    /** The caller of the current request; empty when it presented nothing that was accepted. */
    public static Optional<Identity> current() {
        return of(SecurityContextHolder.getContext().getAuthentication());
    }

    /** The caller that Spring Security has authenticated. */
    public static Optional<Identity> of(@Nullable Authentication authentication) {
        return authentication != null && authentication.getPrincipal() instanceof Identity caller
                ? Optional.of(caller)
                : Optional.empty();
    }

    /** This caller for Spring Security. The {@code EndpointTable} decides by its scopes, so it has no authorities. */
    public Authentication authentication() {
        return new PreAuthenticatedAuthenticationToken(this, "", List.of());
    }

    /** Whether one of these scopes is permitted; an administrator has all. */
    public boolean mayOneOf(Set<Scope> wanted) {
        return scopes.contains(Scope.ADMIN) || wanted.stream().anyMatch(scopes::contains);
    }

    /** Whether the scope is permitted. */
    public boolean may(Scope scope) {
        return mayOneOf(Set.of(scope));
    }

    /** The author of this caller's changes by a request. */
    public Actor actor(String address, String request) {
        return new Actor(id, name, address, request);
    }

    /** The scopes as a page shows them. */
    public String listed() {
        return scopes.stream().sorted().map(Scope::label).collect(Collectors.joining(", "));
    }
}
