package io.faasimage.registry.access;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.Refusals;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * An interceptor that compares the caller's identity, which the filters before it have found, with the
 * {@link EndpointTable}. It sees the pattern by which Spring chose the controller, so that no spelling of a path leads
 * around it, and runs before the body is read.
 */
@Component
class AccessInterceptor implements HandlerInterceptor {
    private final EndpointTable table;
    private final Refusals refusals;

    AccessInterceptor(EndpointTable table, Refusals refusals) {
        this.table = table;
        this.refusals = refusals;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        // OPTIONS reports only which methods there are.
        if (request.getMethod().equals("OPTIONS")) {
            return true;
        }
        Endpoint endpoint = endpoint(request);
        @Nullable Identity caller = (Identity) request.getAttribute(Identity.ATTRIBUTE);
        try {
            check(table.find(endpoint).orElseGet(EndpointTable::unlisted), caller, endpoint, request);
        } catch (ProblemException e) {
            if (e.kind() == ProblemKind.FORBIDDEN) {
                refusals.add(
                        AuditAction.REFUSED_ACCESS,
                        Actor.current(),
                        endpoint.toString(),
                        String.valueOf(e.getMessage()));
            }
            throw e;
        }
        return true;
    }

    private static Endpoint endpoint(HttpServletRequest request) {
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        String pattern = String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
        return new Endpoint(method, pattern);
    }

    private static void check(
            Requirement requirement, @Nullable Identity caller, Endpoint endpoint, HttpServletRequest request) {
        if (requirement instanceof Requirement.Nothing) {
            return;
        }
        if (caller == null) {
            throw new ProblemException(ProblemKind.UNAUTHORIZED, endpoint + " requires a token");
        }
        switch (requirement) {
            case Requirement.Nothing _ -> {}
            case Requirement.OneOf oneOf -> checkScopes(oneOf.scopes(), caller, endpoint);
            case Requirement.OwnNode _ -> {
                checkScopes(Set.of(Scope.NODE), caller, endpoint);
                checkNode(caller, request);
            }
            case Requirement.Enrolment _ -> checkEnrolment(caller, endpoint, request);
        }
    }

    private static void checkScopes(Set<Scope> wanted, Identity caller, Endpoint endpoint) {
        if (caller.mayOneOf(wanted)) {
            return;
        }
        String missing = wanted.isEmpty()
                ? "'admin'"
                : wanted.stream()
                        .sorted()
                        .map(scope -> "'" + scope.label() + "'")
                        .collect(Collectors.joining(" or "));
        throw forbidden(
                caller.kind() == TokenKind.ENROLMENT
                        ? caller.name() + " can only be exchanged for the identity of its node; " + endpoint
                                + " requires the scope " + missing
                        : endpoint + " requires the scope " + missing + "; " + caller.name() + " has "
                                + caller.listed());
    }

    private static void checkNode(Identity caller, HttpServletRequest request) {
        Optional<String> node = caller.node();
        if (node.isPresent() && !node.equals(named(request))) {
            throw forbidden(caller.name() + " is for node '" + node.get() + "' and cannot report '"
                    + named(request).orElse("") + "'; start the agent with --node-name " + node.get()
                    + ", or enrol it under its name");
        }
    }

    private static void checkEnrolment(Identity caller, Endpoint endpoint, HttpServletRequest request) {
        if (caller.kind() != TokenKind.ENROLMENT) {
            throw forbidden(endpoint + " requires an enrolment token; create one with 'faasimage token create NODE"
                    + " --enrol'");
        }
        checkNode(caller, request);
    }

    private static Optional<String> named(HttpServletRequest request) {
        return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                ? Optional.ofNullable((String) variables.get("name"))
                : Optional.empty();
    }

    private static ProblemException forbidden(String detail) {
        return new ProblemException(ProblemKind.FORBIDDEN, detail);
    }
}
