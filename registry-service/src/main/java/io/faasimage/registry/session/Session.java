package io.faasimage.registry.session;

import io.faasimage.registry.config.Role;

/**
 * A sign-in.
 *
 * @param role what it may do
 * @param formToken what its forms carry, so that no other site can send them; empty without a sign-in
 */
public record Session(Role role, String formToken) {
    /** Of a viewer who is not signed in. */
    public static final Session ANONYMOUS = new Session(Role.VIEWER, "");

    /** Whether it may change things. */
    public boolean admin() {
        return role == Role.ADMIN;
    }

    /** Whether there was a sign-in. */
    public boolean signedIn() {
        return !formToken.isEmpty();
    }
}
