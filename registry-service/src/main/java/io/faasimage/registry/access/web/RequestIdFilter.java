package io.faasimage.registry.access.web;

import io.faasimage.api.rest.RequestId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that gives each request an ID, the client's own if it is valid, in the log lines and in the answer. First of
 * all filters.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestIdFilter extends OncePerRequestFilter {
    static final String KEY = "requestId";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String id = RequestId.accept(request.getHeader(RequestId.HEADER));
        response.setHeader(RequestId.HEADER, id);
        try (MDC.MDCCloseable _ = MDC.putCloseable(KEY, id)) {
            chain.doFilter(request, response);
        }
    }
}
