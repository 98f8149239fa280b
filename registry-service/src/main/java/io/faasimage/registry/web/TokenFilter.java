package io.faasimage.registry.web;

import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Problem;
import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.Role;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.session.SignInLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that passes only API requests with the token; health, metrics and the API's description need none. An
 * address that tries several tokens has to wait ({@link SignInLimit}).
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
class TokenFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

    private final AccessToken token;
    private final SignInLimit limit;

    TokenFilter(AccessToken token, SignInLimit limit) {
        this.token = token;
        this.limit = limit;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isGuarded(request);
    }

    /** Whether a request has to carry the token. */
    static boolean isGuarded(HttpServletRequest request) {
        String path = request.getServletPath();
        return !path.equals("/v1/health") && (isApi(path) || isApi(request.getRequestURI()));
    }

    private static boolean isApi(String path) {
        return path.equals("/v1") || path.startsWith("/v1/") || path.startsWith("/v1;");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String address = request.getRemoteAddr();
        Optional<String> presented = presented(request);
        Optional<Role> role = presented.flatMap(token::role);
        Duration wait = presented.isEmpty() ? Duration.ZERO : limit.wait(address);
        if (!wait.isZero() && !role.map(of -> limit.isProven(address, of)).orElse(false)) {
            long seconds = wait.toSeconds() + 1;
            response.setHeader("Retry-After", Long.toString(seconds));
            refuse(
                    request,
                    response,
                    ProblemKind.BUSY,
                    "too many wrong tokens came from " + address + "; try again in " + seconds + " s");
        } else if (role.isEmpty()) {
            presented.ifPresent(wrong -> limit.failed(address, wrong));
            response.setHeader("WWW-Authenticate", "Bearer realm=\"faasimage\"");
            refuse(
                    request,
                    response,
                    ProblemKind.UNAUTHORIZED,
                    (presented.isEmpty() ? "the request has no token" : "the token of the request is not the service's")
                            + "; send 'Authorization: Bearer TOKEN' with FAASIMAGE_TOKEN's value or that of the file"
                            + " 'token' in the service's data directory");
        } else {
            limit.prove(address, role.get());
            if (role.get() == Role.ADMIN || isForViewers(request)) {
                chain.doFilter(request, response);
            } else {
                refuse(
                        request,
                        response,
                        ProblemKind.FORBIDDEN,
                        "the token is a viewer's, which may read all but the contents of files; use the service's own"
                                + " token");
            }
        }
    }

    private static Optional<String> presented(HttpServletRequest request) {
        return Optional.ofNullable(request.getHeader("Authorization"))
                .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(header -> header.substring(SCHEME.length()).strip());
    }

    private static boolean isForViewers(HttpServletRequest request) {
        String path = request.getServletPath();
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return reads && !path.equals("/v1/objects") && !path.startsWith("/v1/objects/");
    }

    private static void refuse(
            HttpServletRequest request, HttpServletResponse response, ProblemKind kind, String detail)
            throws IOException {
        response.setStatus(kind.status());
        response.setContentType(Problem.MEDIA_TYPE);
        response.getOutputStream()
                .write(Json.mapper()
                        .writeValueAsBytes(new Problem(
                                kind.type(), kind.title(), kind.status(), detail, request.getRequestURI())));
    }
}
