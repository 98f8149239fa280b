package io.faasimage.registry.page;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.session.Session;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * The data around every page.
 *
 * @param section of the navigation that the page belongs to
 * @param session of the one who looks
 * @param theme {@code light}, {@code dark}, or empty: as the system has it
 * @param asset gives the address of a file by its name
 * @param now when the page is made
 */
public record Frame(String section, Session session, String theme, UnaryOperator<String> asset, Instant now) {
    /** Whether the one who looks may do everything. */
    public boolean admin() {
        return session.identity().may(Scope.ADMIN);
    }

    /** Whether the one who looks may register and change functions. */
    public boolean deploys() {
        return session.identity().may(Scope.DEPLOY);
    }

    /** The role of the viewer. */
    public String role() {
        if (!session.signedIn()) {
            return "anonymous viewer";
        }
        if (admin()) {
            return "administrator";
        }
        return deploys() ? session.identity().listed() : "viewer";
    }

    /** The time since something happened, for people. */
    public String ago(Instant time) {
        return Figures.ago(time, now);
    }
}
