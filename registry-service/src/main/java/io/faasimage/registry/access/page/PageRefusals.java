package io.faasimage.registry.access.page;

import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** The answers to browsers that are not signed in, or whose sign-in does not permit what they request. */
@Component
class PageRefusals implements AuthenticationEntryPoint, AccessDeniedHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PageRefusals.class);

    private final ObjectProvider<Pages> pages;

    PageRefusals(ObjectProvider<Pages> pages) {
        this.pages = pages;
    }

    static boolean reads(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    /**
     * A filter before the check of forms' tokens: lets nothing be changed from other sites, and reports a database that
     * is away.
     */
    void filter(ServletRequest incoming, ServletResponse outgoing, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) incoming;
        HttpServletResponse response = (HttpServletResponse) outgoing;
        try {
            if (reads(request) && request.getServletPath().startsWith(Pages.ASSETS)) {
                chain.doFilter(request, response);
                return;
            }
            // Looks the sign-in up.
            SecurityContextHolder.getContext().getAuthentication();
            if (!reads(request) && isForeign(request)) {
                refuse(request, response, ProblemKind.FORBIDDEN, "This form was sent from another site.");
            } else {
                chain.doFilter(request, response);
            }
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("a sign-in could not be verified: {}", e.toString());
            refuse(request, response, ProblemKind.DATABASE_UNAVAILABLE, "The database cannot be used now. Try again.");
        } catch (InvalidParameterException e) {
            refuse(request, response, ProblemKind.BAD_REQUEST, "The parameters of the request cannot be read.");
        }
    }

    /** Whether the browser reports that another site sends the request. */
    private static boolean isForeign(HttpServletRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    /** Sends the browser to the sign-in. */
    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        if (!reads(request) || request.getHeader("HX-Request") != null) {
            response.setHeader("HX-Redirect", Pages.SIGN_IN);
            refuse(
                    request,
                    response,
                    ProblemKind.UNAUTHORIZED,
                    "The sign-in has ended. Sign in, go back, and send the form again: nothing was changed.");
            return;
        }
        @Nullable String query = request.getQueryString();
        String target = request.getServletPath() + (query == null ? "" : "?" + query);
        String next = target.equals("/ui") ? "" : "?next=" + URLEncoder.encode(target, StandardCharsets.UTF_8);
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader(HttpHeaders.LOCATION, Pages.SIGN_IN + next);
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
            throws IOException {
        String reason = failure instanceof CsrfException
                ? "The form belongs to an earlier sign-in. Go back, reload the page and send it again."
                : String.valueOf(failure.getMessage());
        refuse(request, response, ProblemKind.FORBIDDEN, reason);
    }

    /** A browser gets a page; every other client gets a problem. */
    private void refuse(HttpServletRequest request, HttpServletResponse response, ProblemKind kind, String detail)
            throws IOException {
        @Nullable String accepted = request.getHeader(HttpHeaders.ACCEPT);
        if (accepted == null || !accepted.contains("text/html")) {
            response.sendError(kind.status());
            return;
        }
        write(
                pages.getObject()
                        .page(
                                request,
                                HttpStatusCode.valueOf(kind.status()),
                                "",
                                "problem",
                                new PageProblems.Failure(kind.status(), kind.title(), detail)),
                response);
    }

    /** Answers with a page outside of a controller. */
    static void write(ResponseEntity<byte[]> page, HttpServletResponse response) throws IOException {
        response.setStatus(page.getStatusCode().value());
        response.setContentType(String.valueOf(page.getHeaders().getContentType()));
        response.getOutputStream().write(Objects.requireNonNull(page.getBody()));
    }
}
