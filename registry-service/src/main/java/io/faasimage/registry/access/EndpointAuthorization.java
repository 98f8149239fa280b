package io.faasimage.registry.access;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.web.ActorFilter;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * The comparison of a caller with the {@link EndpointTable}. It looks up the controller as Spring MVC does afterwards
 * and takes the pattern that is found, so that no spelling of a path leads around the table. The caller is only asked
 * for where the table requires one. A refusal is recorded, and its reason is for the caller.
 */
@Component
public class EndpointAuthorization implements AuthorizationManager<RequestAuthorizationContext> {
    private static final AuthorizationResult GRANTED = new AuthorizationDecision(true);
    private static final AuthorizationResult UNKNOWN_CALLER = new AuthorizationDecision(false);

    private final EndpointTable table;
    private final Refusals refusals;
    private final Supplier<List<RequestMappingInfoHandlerMapping>> mappings;

    EndpointAuthorization(
            EndpointTable table, Refusals refusals, ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        this.table = table;
        this.refusals = refusals;
        // They are made after the filters.
        this.mappings = SingletonSupplier.of(() -> mappings.orderedStream().toList());
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, RequestAuthorizationContext context) {
        HttpServletRequest request = context.getRequest();
        // OPTIONS reports only which methods there are.
        Optional<Endpoint> endpoint = request.getMethod().equals("OPTIONS") ? Optional.empty() : endpoint(request);
        Requirement requirement = endpoint.map(found -> table.find(found).orElseGet(EndpointTable::unlisted))
                .orElse(new Requirement.Nothing());
        if (requirement instanceof Requirement.Nothing && (endpoint.isPresent() || !isGuarded(request))) {
            return GRANTED;
        }
        Optional<Identity> caller = Identity.of(authentication.get());
        if (caller.isEmpty()) {
            return UNKNOWN_CALLER;
        }
        endpoint.flatMap(found -> denial(requirement, caller.get(), found, request))
                .ifPresent(reason -> {
                    refusals.add(
                            AuditAction.REFUSED_ACCESS,
                            ActorFilter.actor(caller, request.getRemoteAddr()),
                            endpoint.get().toString(),
                            reason);
                    throw new AccessDeniedException(reason);
                });
        return GRANTED;
    }

    /** Whether strangers do not learn what there is at a path. */
    private static boolean isGuarded(HttpServletRequest request) {
        String path = request.getServletPath() + "/";
        return path.startsWith("/v1/") || path.startsWith("/ui/");
    }

    /** Empty where Spring MVC will find no controller, either, and answer with 404, 405 or the like. */
    private Optional<Endpoint> endpoint(HttpServletRequest request) {
        ServletRequestPathUtils.parseAndCache(request);
        try {
            for (RequestMappingInfoHandlerMapping mapping : mappings.get()) {
                if (mapping.getHandler(request) != null) {
                    String pattern =
                            String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
                    return Optional.of(
                            new Endpoint(request.getMethod().equals("HEAD") ? "GET" : request.getMethod(), pattern));
                }
            }
        } catch (Exception _) {
            // A method or media type that no controller has: the same lookup is about to fail in the same way.
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static Optional<String> denial(
            Requirement requirement, Identity caller, Endpoint endpoint, HttpServletRequest request) {
        return switch (requirement) {
            case Requirement.Nothing _ -> Optional.empty();
            case Requirement.OneOf oneOf -> missing(oneOf.scopes(), caller, endpoint);
            case Requirement.OwnNode _ ->
                missing(Set.of(Scope.NODE), caller, endpoint).or(() -> otherNode(caller, request));
            case Requirement.Enrolment _
            when caller.kind() != TokenKind.ENROLMENT ->
                Optional.of(endpoint + " requires an enrolment token; create one with 'faasimage token create NODE"
                        + " --enrol'");
            case Requirement.Enrolment _ -> otherNode(caller, request);
        };
    }

    private static Optional<String> missing(Set<Scope> wanted, Identity caller, Endpoint endpoint) {
        if (caller.mayOneOf(wanted)) {
            return Optional.empty();
        }
        String missing = wanted.isEmpty()
                ? "'admin'"
                : wanted.stream()
                        .sorted()
                        .map(scope -> "'" + scope.label() + "'")
                        .collect(Collectors.joining(" or "));
        return Optional.of(
                caller.kind() == TokenKind.ENROLMENT
                        ? caller.name() + " can only be exchanged for the identity of its node; " + endpoint
                                + " requires the scope " + missing
                        : endpoint + " requires the scope " + missing + "; " + caller.name() + " has "
                                + caller.listed());
    }

    private static Optional<String> otherNode(Identity caller, HttpServletRequest request) {
        String named = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> parts
                ? String.valueOf(parts.get("name"))
                : "";
        return caller.node()
                .filter(node -> !node.equals(named))
                .map(node -> caller.name() + " is for node '" + node + "' and cannot report '" + named
                        + "'; start the agent with --node-name " + node + ", or enrol it under its name");
    }
}
