package io.faasimage.registry.access.session;

import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.People;
import io.faasimage.registry.access.identity.Person;
import io.faasimage.registry.access.identity.TokenCheck;
import io.faasimage.registry.access.identity.TokenVerifier;
import io.faasimage.registry.platform.config.AccessToken;
import io.faasimage.registry.platform.config.PageSettings;
import io.faasimage.registry.platform.config.Role;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.stereotype.Component;

/**
 * The sign-ins to the pages, in sessions of the database. A session has who signed in and no permissions: these are
 * looked up with each request, so a sign-in ends with its token, and a person may do what the settings permit its
 * groups now. It also ends when the token of the settings that vouches for it is another one. Thread-safe.
 */
@Component
public class SignIns implements SecurityContextRepository {
    private static final String ATTRIBUTE = "sign-in";
    private static final Pattern TABLE_ID = Pattern.compile("[0-9a-f]{16}");

    private final AccessToken tokens;
    private final TokenVerifier verifier;
    private final People people;
    private final PageSettings settings;
    private final CsrfTokenRepository forms;
    private final Clock clock;

    /**
     * A sign-in as a session has it.
     *
     * @param id of the token that was presented; empty for a person
     * @param person whom the provider has signed in
     * @param end at which it is over
     * @param voucher derived from the token of the settings, and from the provider
     */
    record SignIn(String id, @Nullable Person person, Instant end, String voucher) implements Serializable {}

    SignIns(
            AccessToken tokens,
            TokenVerifier verifier,
            People people,
            PageSettings settings,
            CsrfTokenRepository forms,
            Clock clock) {
        this.tokens = tokens;
        this.verifier = verifier;
        this.people = people;
        this.settings = settings;
        this.forms = forms;
        this.clock = clock;
    }

    /** Whether a token with this identity can sign in: those of the settings and of the table. */
    public static boolean canBegin(Identity identity) {
        return identity.equals(Identity.ADMINISTRATOR)
                || identity.equals(Identity.VIEWER)
                || TABLE_ID.matcher(identity.id()).matches();
    }

    /** Signs in with a token that was accepted. */
    public void begin(Identity identity, HttpServletRequest request, HttpServletResponse response) {
        end(request);
        begin(identity.id(), null, request, response);
    }

    /** Ends the session, if there is one. */
    public boolean end(HttpServletRequest request) {
        @Nullable HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        return session != null;
    }

    private void begin(String id, @Nullable Person person, HttpServletRequest request, HttpServletResponse response) {
        HttpSession session = request.getSession();
        session.setMaxInactiveInterval((int) settings.session().toSeconds());
        session.setAttribute(
                ATTRIBUTE,
                new SignIn(
                        id,
                        person,
                        clock.instant().plus(settings.session()),
                        voucher(id, person).orElseThrow()));
        forms.saveToken(forms.generateToken(request), request, response);
    }

    /** Empty for a viewer's sign-in when viewers have no token any more. */
    private Optional<String> voucher(String id, @Nullable Person person) {
        Role role = id.equals(Identity.VIEWER.id()) ? Role.VIEWER : Role.ADMIN;
        return tokens.key(role, "faasimage pages " + (person == null ? "" : people.issuer()))
                .map(HexFormat.of()::formatHex);
    }

    /** A person whom the provider has signed in; what else Spring Security authenticates lasts for its request. */
    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {
        if (context.getAuthentication() != null
                && context.getAuthentication().getPrincipal() instanceof OidcUser user) {
            begin("", people.person(user), request, response);
        }
    }

    @Override
    @Deprecated
    public SecurityContext loadContext(HttpRequestResponseHolder holder) {
        SecurityContext context = new SecurityContextImpl();
        find(holder.getRequest())
                .or(() -> settings.anonymous() ? Optional.of(Identity.ANONYMOUS) : Optional.empty())
                .ifPresent(identity -> context.setAuthentication(identity.authentication()));
        return context;
    }

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return find(request).isPresent();
    }

    private Optional<Identity> find(HttpServletRequest request) {
        @Nullable HttpSession session = request.getSession(false);
        return session != null
                        && session.getAttribute(ATTRIBUTE) instanceof SignIn found
                        && clock.instant().isBefore(found.end())
                        && (found.person() == null || people.canSignIn())
                        && voucher(found.id(), found.person()).equals(Optional.of(found.voucher()))
                ? identity(found)
                : Optional.empty();
    }

    private Optional<Identity> identity(SignIn found) {
        if (found.id().equals(Identity.ADMINISTRATOR.id())) {
            return Optional.of(Identity.ADMINISTRATOR);
        }
        if (found.id().equals(Identity.VIEWER.id())) {
            return Optional.of(Identity.VIEWER);
        }
        return (found.person() == null ? verifier.recheck(found.id()) : people.recheck(found.person()))
                        instanceof TokenCheck.Accepted accepted
                ? Optional.of(accepted.identity())
                : Optional.empty();
    }
}
