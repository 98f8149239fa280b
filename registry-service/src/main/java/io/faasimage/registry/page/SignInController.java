package io.faasimage.registry.page;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.audit.Refusals;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.session.Sessions;
import io.faasimage.registry.session.SignInLimit;
import io.faasimage.registry.session.TokenGate;
import io.faasimage.registry.session.TokenOutcome;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/sign-in} and {@code /ui/sign-out}. */
@PageController
public class SignInController {
    private static final Logger LOG = LoggerFactory.getLogger(SignInController.class);

    /** The object of records about sign-ins. */
    static final String DASHBOARD = "/ui";

    /** Tokens without one of these see no page. */
    static final Set<Scope> SIGNING_IN = Set.of(Scope.VIEW, Scope.DEPLOY);

    /** An address of ours: neither another host nor a line of a header. */
    private static final Pattern OURS = Pattern.compile("/ui(/[A-Za-z0-9._~/-]*)?(\\?[A-Za-z0-9._~&=%+-]*)?");

    private static final int MAX_NEXT = 1_000;

    /**
     * The content of the sign-in page.
     *
     * @param next where to go afterwards
     * @param error why the last try failed; empty at the first
     * @param anonymous whether one may look without a sign-in
     * @param provider where to sign in by OpenID Connect; empty when that is not configured
     */
    public record SignIn(String next, String error, boolean anonymous, String provider) {}

    private final SignInForm form;
    private final TokenGate gate;
    private final Sessions sessions;
    private final SignInLimit limit;
    private final AuditLog audit;
    private final Refusals refusals;
    private final PageSettings settings;

    SignInController(
            @Lazy SignInForm form,
            TokenGate gate,
            Sessions sessions,
            SignInLimit limit,
            AuditLog audit,
            Refusals refusals,
            PageSettings settings) {
        this.form = form;
        this.gate = gate;
        this.audit = audit;
        this.refusals = refusals;
        this.sessions = sessions;
        this.limit = limit;
        this.settings = settings;
    }

    @GetMapping(PageGuard.SIGN_IN)
    ResponseEntity<byte[]> form(HttpServletRequest request, @RequestParam(defaultValue = "") String next) {
        return form(request, 200, next, "");
    }

    private ResponseEntity<byte[]> form(HttpServletRequest request, int status, String next, String error) {
        return form.page(request, status, next, error);
    }

    /** The address to continue at; longer ones would not fit into a cookie. */
    static String ours(String next) {
        return next.length() <= MAX_NEXT && OURS.matcher(next).matches() ? next : "/ui";
    }

    @PostMapping(PageGuard.SIGN_IN)
    ResponseEntity<byte[]> signIn(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String token,
            @RequestParam(defaultValue = "") String next) {
        String address = request.getRemoteAddr();
        return switch (gate.present(address, token.strip())) {
            case TokenOutcome.MustWait waiting -> mustWait(request, next, waiting.left());
            case TokenOutcome.Wrong _ -> {
                LOG.warn("a sign-in from {} with a wrong token", address);
                refusals.add(AuditAction.REFUSED_SIGN_IN, Actor.current(), DASHBOARD, "the token was never valid");
                yield form(request, 401, next, "The token is wrong.");
            }
            case TokenOutcome.Refused refused -> {
                refusals.add(AuditAction.REFUSED_SIGN_IN, actor(refused.identity()), DASHBOARD, refused.reason());
                yield form(request, 401, next, "The token has expired or was revoked, or permits nothing.");
            }
            case TokenOutcome.Unverifiable away -> form(request, 503, next, away.reason());
            case TokenOutcome.Accepted accepted -> signIn(request, accepted.identity(), next);
        };
    }

    private ResponseEntity<byte[]> mustWait(HttpServletRequest request, String next, Duration wait) {
        long seconds = wait.toSeconds() + 1;
        ResponseEntity<byte[]> page =
                form(request, 429, next, "Too many wrong tokens from here. Try again in " + seconds + " s.");
        return ResponseEntity.status(429)
                .headers(page.getHeaders())
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .body(page.getBody());
    }

    /** The owner of a token, in the place of the caller, who has presented it only now. */
    static Actor actor(Identity identity) {
        Actor caller = Actor.current();
        return identity.actor(caller.address(), caller.request());
    }

    private ResponseEntity<byte[]> signIn(HttpServletRequest request, Identity identity, String next) {
        if (!identity.mayOneOf(SIGNING_IN)) {
            String reason = "The token is a node's, and no sign-in.";
            refusals.add(AuditAction.REFUSED_SIGN_IN, actor(identity), DASHBOARD, reason);
            return form(request, 403, next, reason);
        }
        if (!Sessions.canIssue(identity)) {
            return form(request, 403, next, "This token is for programs. Sign in by OpenID Connect instead.");
        }
        limit.succeeded(request.getRemoteAddr(), identity);
        audit.add(actor(identity), AuditAction.SESSION_BEGIN, DASHBOARD, null, null);
        return ResponseEntity.status(303)
                .header(HttpHeaders.LOCATION, ours(next))
                .header(HttpHeaders.SET_COOKIE, cookie(request, sessions.issue(identity), settings.session()))
                .build();
    }

    @PostMapping(PageGuard.SIGN_OUT)
    ResponseEntity<byte[]> signOut(HttpServletRequest request) {
        audit.add(AuditAction.SESSION_END, DASHBOARD, null, null);
        return ResponseEntity.status(303)
                .header(HttpHeaders.LOCATION, settings.anonymous() ? "/ui" : PageGuard.SIGN_IN)
                .header(HttpHeaders.SET_COOKIE, cookie(request, "", Duration.ZERO))
                .build();
    }

    static String cookie(HttpServletRequest request, String value, Duration age) {
        return ResponseCookie.from(PageGuard.COOKIE, value)
                .path("/ui")
                .httpOnly(true)
                .sameSite("Strict")
                .secure(request.isSecure())
                .maxAge(age)
                .build()
                .toString();
    }
}
