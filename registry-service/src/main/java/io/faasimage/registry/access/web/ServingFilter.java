package io.faasimage.registry.access.web;

import io.faasimage.registry.platform.database.ConnectionPools;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that gives requests that a container's start waits for, and health checks, database connections of their
 * own.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class ServingFilter extends OncePerRequestFilter {
    private static final List<String> SERVING =
            List.of("/v1/bundles", "/v1/chains/", "/v1/objects/", "/v1/health", "/actuator/health");

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return SERVING.stream().noneMatch(path::startsWith);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try (ConnectionPools.Serving _ = ConnectionPools.serve()) {
            chain.doFilter(request, response);
        }
    }
}
