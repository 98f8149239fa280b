package io.faasimage.registry.page;

import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.session.Session;
import io.faasimage.registry.session.Sessions;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The filter in front of the pages: it redirects to the sign-in, finds out who is signed in, lets nothing be changed
 * but by our own forms, and sets the security policy of the pages. The access table decides what a sign-in permits.
 * Runs before a body is read.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public class PageGuard extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(PageGuard.class);

    /** Where a request's {@link Session} is. */
    static final String SESSION = PageGuard.class.getName();

    /** Name of the cookie that has the sign-in. */
    static final String COOKIE = "faasimage_session";

    /** Address of the sign-in. */
    public static final String SIGN_IN = "/ui/sign-in";

    /** Address of the end of the sign-in. */
    public static final String SIGN_OUT = "/ui/sign-out";

    /** Prefix of the addresses of scripts and styles. */
    public static final String ASSETS = "/ui/assets/";

    /** Name of the field of forms that has {@link Session#formToken}. */
    public static final String FORM_FIELD = "form-token";

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Sessions sessions;
    private final PageSettings settings;
    private final ObjectProvider<Pages> pages;

    PageGuard(Sessions sessions, PageSettings settings, ObjectProvider<Pages> pages) {
        this.sessions = sessions;
        this.settings = settings;
        this.pages = pages;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return !(path.equals("/ui") || path.startsWith("/ui/"));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        protect(response);
        String path = request.getServletPath();
        Optional<Session> session;
        try {
            session = session(request);
        } catch (DataAccessException e) {
            LOG.warn("a sign-in could not be verified: {}", e.toString());
            refuse(request, response, ProblemKind.DATABASE_UNAVAILABLE, "The database cannot be used now. Try again.");
            return;
        }
        session.ifPresent(found -> {
            request.setAttribute(SESSION, found);
            request.setAttribute(Identity.ATTRIBUTE, found.identity());
        });
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (path.startsWith(ASSETS) && reads) {
            chain.doFilter(request, response);
        } else if (!reads && isForeign(request)) {
            refuse(request, response, ProblemKind.FORBIDDEN, "This form was sent from another site.");
        } else if (path.equals(SIGN_IN) || path.startsWith(SIGN_IN + "/")) {
            chain.doFilter(request, response);
        } else if (session.isEmpty()) {
            sendToSignIn(request, response, reads);
        } else if (!reads && !session.get().signedIn()) {
            refuse(request, response, ProblemKind.FORBIDDEN, "Anonymous viewers cannot change anything. Sign in.");
        } else if (!reads && !hasFormToken(request, session.get())) {
            refuse(
                    request,
                    response,
                    ProblemKind.FORBIDDEN,
                    "The form belongs to an earlier sign-in. Go back, reload the page and send it again.");
        } else {
            chain.doFilter(request, response);
        }
    }

    private static void protect(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Vary", "Cookie, HX-Request");
    }

    private Optional<Session> session(HttpServletRequest request) {
        Cookie @Nullable [] cookies = request.getCookies();
        return (cookies == null ? Stream.<Cookie>empty() : Arrays.stream(cookies))
                .filter(cookie -> cookie.getName().equals(COOKIE))
                .flatMap(cookie -> sessions.find(cookie.getValue()).stream())
                .findFirst()
                .or(() -> settings.anonymous() ? Optional.of(Session.ANONYMOUS) : Optional.empty());
    }

    /** Whether the browser reports that another site sends the request. */
    private static boolean isForeign(HttpServletRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    private static boolean hasFormToken(HttpServletRequest request, Session session) {
        @Nullable String presented = request.getParameter(FORM_FIELD);
        return presented != null
                && MessageDigest.isEqual(
                        presented.getBytes(StandardCharsets.UTF_8),
                        session.formToken().getBytes(StandardCharsets.UTF_8));
    }

    /** A browser gets a page; every other client gets a problem. */
    private void refuse(HttpServletRequest request, HttpServletResponse response, ProblemKind kind, String detail)
            throws IOException {
        @Nullable String accepted = request.getHeader("Accept");
        if (accepted == null || !accepted.contains("text/html")) {
            response.sendError(kind.status());
            return;
        }
        ResponseEntity<byte[]> page = pages.getObject()
                .page(
                        request,
                        HttpStatusCode.valueOf(kind.status()),
                        "",
                        "problem",
                        new PageProblems.Failure(kind.status(), kind.title(), detail));
        response.setStatus(kind.status());
        response.setContentType(String.valueOf(page.getHeaders().getContentType()));
        response.getOutputStream().write(Objects.requireNonNull(page.getBody()));
    }

    private void sendToSignIn(HttpServletRequest request, HttpServletResponse response, boolean reads)
            throws IOException {
        if (!reads || request.getHeader("HX-Request") != null) {
            response.setHeader("HX-Redirect", SIGN_IN);
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
        response.setHeader("Location", SIGN_IN + next);
    }
}
