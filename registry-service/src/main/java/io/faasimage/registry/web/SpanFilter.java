package io.faasimage.registry.web;

import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * A filter that exports the span of each request with a trace context, and names the trace in the log lines. Requests
 * without one begin none: most of them are heartbeats and pages. Only of requests that the token's filter, which is
 * before this one, lets pass for their token: strangers cannot make spans.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 3)
class SpanFilter extends OncePerRequestFilter {
    private static final String KEY = "trace_id";

    private final Spans spans;

    SpanFilter(Spans spans) {
        this.spans = spans;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !TokenFilter.isGuarded(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<TraceParent> caller = TraceParent.parse(request.getHeader(TraceParent.HEADER));
        if (caller.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        try (MDC.MDCCloseable _ = MDC.putCloseable(KEY, caller.get().traceId());
                Span span = spans.begin(request.getMethod(), Spans.Kind.SERVER, caller, Instant.now())) {
            try {
                Optional<TraceParent> context = span.context().or(() -> caller);
                ScopedChain.run(work -> CurrentSpan.call(context, work), request, response, chain);
            } finally {
                describe(span, request, response);
            }
        }
    }

    /** The route that was taken, not the path: of that there are as many as objects. */
    private static void describe(Span span, HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String route) {
            span.rename(request.getMethod() + " " + route);
            span.set("http.route", route);
        }
        span.set("http.request.method", request.getMethod())
                .set("http.response.status_code", response.getStatus())
                .set("faasimage.request_id", String.valueOf(response.getHeader("X-Request-Id")));
        if (response.getStatus() >= 500) {
            span.failed("answered " + response.getStatus());
        }
    }
}
