package io.faasimage.registry.web;

import io.faasimage.api.Json;
import io.faasimage.api.Problem;
import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.Role;
import io.faasimage.registry.problem.ProblemKind;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets requests to the API pass that carry the token; health, metrics and the API's description need none. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class TokenFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

    private final AccessToken token;

    TokenFilter(AccessToken token) {
        this.token = token;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return path.equals("/v1/health") || !(isApi(path) || isApi(request.getRequestURI()));
    }

    private static boolean isApi(String path) {
        return path.equals("/v1") || path.startsWith("/v1/") || path.startsWith("/v1;");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable String header = request.getHeader("Authorization");
        Optional<Role> role = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? token.role(header.substring(SCHEME.length()).strip())
                : Optional.empty();
        if (role.isPresent() && (role.get() == Role.ADMIN || isForViewers(request))) {
            chain.doFilter(request, response);
        } else if (role.isPresent()) {
            refuse(
                    request,
                    response,
                    ProblemKind.FORBIDDEN,
                    "the token is a viewer's, which may read all but the contents of files; use the service's own token");
        } else {
            response.setHeader("WWW-Authenticate", "Bearer realm=\"faasimage\"");
            refuse(
                    request,
                    response,
                    ProblemKind.UNAUTHORIZED,
                    (header == null ? "the request has no token" : "the token of the request is not the service's")
                            + "; send 'Authorization: Bearer TOKEN' with FAASIMAGE_TOKEN's value or that of the file"
                            + " 'token' in the service's data directory");
        }
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
