package io.faasimage.registry.access.page;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.TokenCheck;
import io.faasimage.registry.access.session.SignInLimit;
import io.faasimage.registry.access.session.SignIns;
import io.faasimage.registry.access.session.TokenGate;
import io.faasimage.registry.platform.audit.Actor;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.Refusals;
import io.faasimage.registry.platform.config.PageSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpHeaders;
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

    /**
     * The answer to the browser after a sign-in at the provider.
     *
     * @param next address to which it continues
     */
    public record SignedIn(String next) {}

    private final Pages pages;
    private final TokenGate gate;
    private final SignIns signIns;
    private final SignInLimit limit;
    private final AuditLog audit;
    private final Refusals refusals;
    private final PageSettings settings;

    SignInController(
            @Lazy Pages pages,
            TokenGate gate,
            SignIns signIns,
            SignInLimit limit,
            AuditLog audit,
            Refusals refusals,
            PageSettings settings) {
        this.pages = pages;
        this.gate = gate;
        this.audit = audit;
        this.refusals = refusals;
        this.signIns = signIns;
        this.limit = limit;
        this.settings = settings;
    }

    @GetMapping(Pages.SIGN_IN)
    ResponseEntity<byte[]> form(HttpServletRequest request, @RequestParam(defaultValue = "") String next) {
        return pages.signIn(request, 200, next, "");
    }

    /** The address to continue at. */
    static String ours(String next) {
        return next.length() <= MAX_NEXT && OURS.matcher(next).matches() ? next : "/ui";
    }

    @PostMapping(Pages.SIGN_IN)
    ResponseEntity<byte[]> signIn(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestParam(defaultValue = "") String token,
            @RequestParam(defaultValue = "") String next) {
        String address = request.getRemoteAddr();
        return switch (gate.present(address, token.strip())) {
            case TokenCheck.MustWait waiting -> mustWait(request, next, waiting.left());
            case TokenCheck.Unknown _ -> {
                LOG.warn("a sign-in from {} with a wrong token", address);
                refusals.add(AuditAction.REFUSED_SIGN_IN, Actor.current(), DASHBOARD, "the token was never valid");
                yield pages.signIn(request, 401, next, "The token is wrong.");
            }
            case TokenCheck.Refused refused -> {
                refusals.add(AuditAction.REFUSED_SIGN_IN, actor(refused.identity()), DASHBOARD, refused.reason());
                yield pages.signIn(request, 401, next, "The token has expired or was revoked, or permits nothing.");
            }
            case TokenCheck.Unverifiable away -> pages.signIn(request, 503, next, away.reason());
            case TokenCheck.Accepted accepted -> signIn(request, response, accepted.identity(), next);
        };
    }

    private ResponseEntity<byte[]> mustWait(HttpServletRequest request, String next, Duration wait) {
        long seconds = wait.toSeconds() + 1;
        ResponseEntity<byte[]> page =
                pages.signIn(request, 429, next, "Too many wrong tokens from here. Try again in " + seconds + " s.");
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

    private ResponseEntity<byte[]> signIn(
            HttpServletRequest request, HttpServletResponse response, Identity identity, String next) {
        if (!identity.mayOneOf(SIGNING_IN)) {
            String reason = "The token is a node's, and no sign-in.";
            refusals.add(AuditAction.REFUSED_SIGN_IN, actor(identity), DASHBOARD, reason);
            return pages.signIn(request, 403, next, reason);
        }
        if (!SignIns.canBegin(identity)) {
            return pages.signIn(request, 403, next, "This token is for programs. Sign in by OpenID Connect instead.");
        }
        limit.succeeded(request.getRemoteAddr(), identity);
        audit.add(actor(identity), AuditAction.SESSION_BEGIN, DASHBOARD, null, null);
        signIns.begin(identity, request, response);
        return ResponseEntity.status(303)
                .header(HttpHeaders.LOCATION, ours(next))
                .build();
    }

    @PostMapping(Pages.SIGN_OUT)
    ResponseEntity<byte[]> signOut(HttpServletRequest request) {
        if (signIns.end(request)) {
            audit.add(AuditAction.SESSION_END, DASHBOARD, null, null);
        }
        return ResponseEntity.status(303)
                .header(HttpHeaders.LOCATION, settings.anonymous() ? "/ui" : Pages.SIGN_IN)
                .build();
    }
}
