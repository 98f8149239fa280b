package io.faasimage.registry.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.output.StringOutput;
import io.faasimage.registry.session.Session;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** The renderer of pages from templates. Thread-safe. */
@Lazy
@Component
public class Pages {
    private static final String PACKAGE = "io.faasimage.registry.page.template";
    private static final MediaType HTML = new MediaType("text", "html", StandardCharsets.UTF_8);

    private final TemplateEngine templates =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Pages.class.getClassLoader(), PACKAGE);
    private final Assets assets;
    private final Clock clock;

    Pages(Assets assets, Clock clock) {
        this.assets = assets;
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

    private Frame frame(HttpServletRequest request, String section) {
        @Nullable Session session = (Session) request.getAttribute(PageGuard.SESSION);
        return new Frame(
                section,
                session == null ? Session.ANONYMOUS : session,
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
