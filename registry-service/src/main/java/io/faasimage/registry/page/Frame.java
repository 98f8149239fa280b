package io.faasimage.registry.page;

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
    /** Whether the one who looks may change things. */
    public boolean admin() {
        return session.admin();
    }

    /** How long ago something was, for people. */
    public String ago(Instant time) {
        return Figures.ago(time, now);
    }
}
