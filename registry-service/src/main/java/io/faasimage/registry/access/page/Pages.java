package io.faasimage.registry.access.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.output.StringOutput;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.People;
import io.faasimage.registry.access.session.SessionConfiguration;
import io.faasimage.registry.platform.config.PageSettings;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Component;

/** The renderer of pages from templates. Thread-safe. */
@Lazy
@Component
public class Pages {
    /** Address of the sign-in. */
    public static final String SIGN_IN = "/ui/sign-in";

    /** Address of the end of the sign-in. */
    public static final String SIGN_OUT = "/ui/sign-out";

    /** Prefix of the addresses of scripts and styles. */
    public static final String ASSETS = "/ui/assets/";

    private static final String PACKAGE = "io.faasimage.registry.template";
    private static final MediaType HTML = new MediaType("text", "html", StandardCharsets.UTF_8);

    private final TemplateEngine templates =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Pages.class.getClassLoader(), PACKAGE);
    private final Assets assets;
    private final People people;
    private final PageSettings settings;
    private final Clock clock;

    Pages(Assets assets, People people, PageSettings settings, Clock clock) {
        this.assets = assets;
        this.people = people;
        this.settings = settings;
        this.clock = clock;
    }

    /** A page of {@code section} with {@code view}, rendered by {@code template}. */
    public ResponseEntity<byte[]> page(HttpServletRequest request, String section, String template, Object view) {
        return page(request, HttpStatusCode.valueOf(200), section, template, view);
    }

    /** Variant with a status. */
    public ResponseEntity<byte[]> page(
            HttpServletRequest request, HttpStatusCode status, String section, String template, Object view) {
        TemplateOutput output = new StringOutput(16 * 1024);
        templates.render(template + ".jte", Map.of("frame", frame(request, section), "view", view), output);
        return ResponseEntity.status(status)
                .contentType(HTML)
                .body(output.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The page of the sign-in that leads to {@code next}, with the reason why the last try failed. */
    ResponseEntity<byte[]> signIn(HttpServletRequest request, int status, String next, String error) {
        String ours = SignInController.ours(next);
        String provider = people.canSignIn()
                ? SessionConfiguration.PROVIDER + "?next=" + URLEncoder.encode(ours, StandardCharsets.UTF_8)
                : "";
        return page(
                request,
                HttpStatusCode.valueOf(status),
                "",
                "signin",
                new SignInController.SignIn(ours, error, settings.anonymous(), provider));
    }

    private Frame frame(HttpServletRequest request, String section) {
        return new Frame(
                section,
                Identity.current().orElse(Identity.ANONYMOUS),
                request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token ? token::getToken : () -> "",
                theme(request.getCookies()),
                assets::address,
                clock.instant());
    }

    private static String theme(Cookie @Nullable [] cookies) {
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals("faasimage_theme")
                        && (cookie.getValue().equals("light")
                                || cookie.getValue().equals("dark"))) {
                    return cookie.getValue();
                }
            }
        }
        return "";
    }
}
