package io.faasimage.registry.web;

import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Problem;
import io.faasimage.api.rest.RequestId;
import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.Refusals;
import io.faasimage.registry.identity.CertificateIdentities;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.session.TokenGate;
import io.faasimage.registry.session.TokenOutcome;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * A filter that passes only API requests with a valid token or certificate, and finds out whose it is; the access table
 * decides what that permits. Health, metrics and the API's description need none.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
class TokenFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";
    /** Set by the servlet container for a certificate that the connection has verified. */
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    /** The pause between two attempts to read the keys of an issuer. */
    private static final String RETRY_SECONDS = "10";

    /** The object of refusals. */
    private static final String API = "/v1";

    private static final String REMEDY =
            "; send 'Authorization: Bearer TOKEN' with FAASIMAGE_TOKEN's value, that of the file 'token' in the"
                    + " service's data directory, or a token that an administrator created";

    private final TokenGate gate;
    private final CertificateIdentities certificates;
    private final Refusals refusals;
    private final ObjectProvider<HandlerExceptionResolver> failures;

    TokenFilter(
            TokenGate gate,
            CertificateIdentities certificates,
            Refusals refusals,
            @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> failures) {
        this.gate = gate;
        this.certificates = certificates;
        this.refusals = refusals;
        this.failures = failures;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isGuarded(request);
    }

    /** Whether a request has to carry a token. */
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
        Optional<String> presented = presented(request);
        Optional<Identity> certified = presented.isEmpty() ? certified(request) : Optional.empty();
        if (certified.isPresent()) {
            pass(certified.get(), request, response, chain);
            return;
        }
        if (presented.isEmpty()) {
            refuseUnauthorized(request, response, "the request has no token" + REMEDY);
            return;
        }
        TokenOutcome outcome;
        try {
            outcome = gate.present(request.getRemoteAddr(), presented.get());
        } catch (DataAccessException e) {
            failures.getObject().resolveException(request, response, null, e);
            return;
        }
        switch (outcome) {
            case TokenOutcome.Accepted accepted -> pass(accepted.identity(), request, response, chain);
            case TokenOutcome.Refused refused -> {
                Actor actor = refused.identity().actor(request.getRemoteAddr(), requestId(response));
                refusals.add(AuditAction.REFUSED_TOKEN, actor, API, refused.reason());
                refuseUnauthorized(request, response, refused.reason());
            }
            case TokenOutcome.Unverifiable away -> {
                response.setHeader("Retry-After", RETRY_SECONDS);
                refuse(request, response, ProblemKind.PROVIDER_UNAVAILABLE, away.reason());
            }
            case TokenOutcome.Wrong _ -> {
                Actor actor = Actor.unknown(request.getRemoteAddr(), requestId(response));
                refusals.add(AuditAction.REFUSED_TOKEN, actor, API, "the token was never valid");
                refuseUnauthorized(request, response, "the token of the request is not the service's" + REMEDY);
            }
            case TokenOutcome.MustWait waiting -> refuseToWait(request, response, waiting.left());
        }
    }

    private static void pass(
            Identity caller, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.setAttribute(Identity.ATTRIBUTE, caller);
        // Answers differ by token; an answer with another header replaces this.
        response.setHeader("Cache-Control", "private, no-cache");
        chain.doFilter(request, response);
    }

    private static String requestId(HttpServletResponse response) {
        return String.valueOf(response.getHeader(RequestId.HEADER));
    }

    private static void refuseToWait(HttpServletRequest request, HttpServletResponse response, Duration wait)
            throws IOException {
        long seconds = wait.toSeconds() + 1;
        response.setHeader("Retry-After", Long.toString(seconds));
        refuse(
                request,
                response,
                ProblemKind.BUSY,
                "too many wrong tokens came from " + request.getRemoteAddr() + "; try again in " + seconds + " s");
    }

    private static void refuseUnauthorized(HttpServletRequest request, HttpServletResponse response, String detail)
            throws IOException {
        response.setHeader("WWW-Authenticate", "Bearer realm=\"faasimage\"");
        refuse(request, response, ProblemKind.UNAUTHORIZED, detail);
    }

    private Optional<Identity> certified(HttpServletRequest request) {
        return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
                ? certificates.of(chain)
                : Optional.empty();
    }

    private static Optional<String> presented(HttpServletRequest request) {
        return Optional.ofNullable(request.getHeader("Authorization"))
                .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(header -> header.substring(SCHEME.length()).strip());
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
