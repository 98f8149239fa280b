package io.faasimage.registry.page;

import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.audit.Refusals;
import io.faasimage.registry.config.OidcSettings;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.identity.People;
import io.faasimage.registry.identity.Person;
import io.faasimage.registry.identity.TokenCheck;
import io.faasimage.registry.provider.ProviderException;
import io.faasimage.registry.session.ProviderSignIn;
import io.faasimage.registry.session.ProviderSignIn.Begun;
import io.faasimage.registry.session.Sessions;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The sign-in at the OpenID Connect provider: {@code /ui/sign-in/provider}, and its answer. */
@PageController
public class ProviderSignInController {
    /** Where it begins. */
    static final String BEGIN = PageGuard.SIGN_IN + "/provider";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderSignInController.class);
    private static final String ANSWER = PageGuard.SIGN_IN + "/answer";
    private static final String COOKIE = "faasimage_sign_in";

    private final SignInForm form;
    private final Pages pages;
    private final People people;
    private final ProviderSignIn signIns;
    private final Sessions sessions;
    private final AuditLog audit;
    private final Refusals refusals;
    private final OidcSettings settings;
    private final Duration session;

    /**
     * The answer to the browser after the sign-in.
     *
     * @param next address to which it continues
     */
    public record SignedIn(String next) {}

    ProviderSignInController(
            @Lazy SignInForm form,
            @Lazy Pages pages,
            People people,
            ProviderSignIn signIns,
            Sessions sessions,
            AuditLog audit,
            Refusals refusals,
            OidcSettings settings,
            PageSettings pageSettings) {
        this.form = form;
        this.pages = pages;
        this.people = people;
        this.signIns = signIns;
        this.sessions = sessions;
        this.audit = audit;
        this.refusals = refusals;
        this.settings = settings;
        this.session = pageSettings.session();
    }

    /** Sends the browser to the provider. */
    @GetMapping(BEGIN)
    ResponseEntity<byte[]> begin(HttpServletRequest request, @RequestParam(defaultValue = "") String next) {
        if (!people.canSignIn()) {
            return form.page(request, 404, next, "Signing in by OpenID Connect is not configured.");
        }
        try {
            Begun begun = signIns.begin(SignInController.ours(next), redirect(request));
            return ResponseEntity.status(303)
                    .header(HttpHeaders.LOCATION, people.address(begun.attempt()))
                    .header(HttpHeaders.SET_COOKIE, cookie(request, begun.cookie(), ProviderSignIn.LIMIT))
                    .build();
        } catch (ProviderException e) {
            return away(request, next, e);
        }
    }

    private ResponseEntity<byte[]> away(HttpServletRequest request, String next, ProviderException failure) {
        LOG.warn("a sign-in by OpenID Connect from {} failed: {}", request.getRemoteAddr(), failure.getMessage());
        return form.page(request, 503, next, failure.getMessage() + ". Try again later, or sign in with a token.");
    }

    private URI redirect(HttpServletRequest request) {
        URI dashboard = settings.dashboard();
        return dashboard == null
                ? ServletUriComponentsBuilder.fromRequestUri(request)
                        .replacePath(ANSWER)
                        .build()
                        .toUri()
                : URI.create(dashboard.toString().replaceFirst("/+$", "") + ANSWER);
    }

    /** Lax: the provider's redirect must bring it along. */
    private static String cookie(HttpServletRequest request, String value, Duration age) {
        return ResponseCookie.from(COOKIE, value)
                .path(PageGuard.SIGN_IN)
                .httpOnly(true)
                .sameSite("Lax")
                .secure(request.isSecure())
                .maxAge(age)
                .build()
                .toString();
    }

    /** Signs in the person with whom the browser comes back from the provider. */
    @GetMapping(ANSWER)
    ResponseEntity<byte[]> answer(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String state,
            @RequestParam(defaultValue = "") String code,
            @RequestParam(defaultValue = "") String error,
            @RequestParam(defaultValue = "") String iss,
            @CookieValue(name = COOKIE, defaultValue = "") String cookie) {
        if (!people.canSignIn()) {
            return form.page(request, 404, "", "Signing in by OpenID Connect is not configured.");
        }
        Begun begun = signIns.resume(cookie, state, redirect(request)).orElse(null);
        if (begun == null) {
            return refuse(request, "", "This sign-in was not begun in this browser, or too long ago. Try again.");
        }
        // RFC 9207: of another provider.
        if (!iss.isEmpty() && !iss.equals(people.issuer())) {
            return refuse(request, begun.next(), "The answer is of another provider.");
        }
        if (code.isEmpty()) {
            return refuse(request, begun.next(), "The provider refused the sign-in: " + error);
        }
        Person person;
        try {
            person = people.redeem(code, begun.attempt());
        } catch (ProviderException e) {
            return away(request, begun.next(), e);
        }
        return switch (people.recheck(person)) {
            case TokenCheck.Accepted accepted -> accept(request, begun.next(), person, accepted.identity());
            case TokenCheck.Refused refused -> {
                refusals.add(
                        AuditAction.REFUSED_SIGN_IN,
                        SignInController.actor(refused.identity()),
                        SignInController.DASHBOARD,
                        refused.reason());
                yield form.page(request, 403, begun.next(), refused.reason());
            }
            case TokenCheck.Unverifiable _, TokenCheck.Unknown _ ->
                throw new IllegalStateException("a person who is known is accepted or refused");
        };
    }

    private ResponseEntity<byte[]> refuse(HttpServletRequest request, String next, String reason) {
        refusals.add(AuditAction.REFUSED_SIGN_IN, Actor.current(), SignInController.DASHBOARD, reason);
        return form.page(request, 401, next, reason);
    }

    /**
     * Answers with a page that continues by itself. The browser would not send the strict cookie of the sign-in along
     * with a redirect that began at the provider.
     */
    private ResponseEntity<byte[]> accept(HttpServletRequest request, String next, Person person, Identity identity) {
        String value;
        try {
            value = sessions.issue(person);
        } catch (IllegalArgumentException e) {
            return refuse(request, next, String.valueOf(e.getMessage()));
        }
        audit.add(SignInController.actor(identity), AuditAction.SESSION_BEGIN, SignInController.DASHBOARD, null, null);
        ResponseEntity<byte[]> page = pages.page(request, "", "signedin", new SignedIn(SignInController.ours(next)));
        return ResponseEntity.ok()
                .headers(page.getHeaders())
                .header(HttpHeaders.SET_COOKIE, SignInController.cookie(request, value, session))
                .header(HttpHeaders.SET_COOKIE, cookie(request, "", Duration.ZERO))
                .body(page.getBody());
    }
}
