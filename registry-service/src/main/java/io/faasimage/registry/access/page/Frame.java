package io.faasimage.registry.access.page;

import io.faasimage.api.token.Scope;
import io.faasimage.registry.access.identity.Identity;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The data around every page.
 *
 * @param section of the navigation that the page belongs to
 * @param viewer who looks
 * @param form gives the token that forms of a sign-in carry, so that no other site can send them
 * @param theme {@code light}, {@code dark}, or empty: as the system has it
 * @param asset gives the address of a file by its name
 * @param now when the page is made
 */
public record Frame(
        String section,
        Identity viewer,
        Supplier<String> form,
        String theme,
        UnaryOperator<String> asset,
        Instant now) {
    /** Whether the one who looks may do everything. */
    public boolean admin() {
        return viewer.may(Scope.ADMIN);
    }

    /** Whether the one who looks may register and change functions. */
    public boolean deploys() {
        return viewer.may(Scope.DEPLOY);
    }

    /** Whether there was a sign-in. */
    public boolean signedIn() {
        return !viewer.equals(Identity.ANONYMOUS);
    }

    /** The role of the viewer. */
    public String role() {
        if (!signedIn()) {
            return "anonymous viewer";
        }
        if (admin()) {
            return "administrator";
        }
        return deploys() ? viewer.listed() : "viewer";
    }

    /** The time since something happened, for people. */
    public String ago(Instant time) {
        return Figures.ago(time, now);
    }
}
