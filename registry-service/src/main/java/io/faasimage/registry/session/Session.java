package io.faasimage.registry.session;

import io.faasimage.registry.identity.Identity;

/**
 * A sign-in.
 *
 * @param identity the caller and its permissions
 * @param formToken value that its forms carry, so that no other site can send them; empty without a sign-in
 */
public record Session(Identity identity, String formToken) {
    /** Of a viewer who is not signed in. */
    public static final Session ANONYMOUS = new Session(Identity.ANONYMOUS, "");

    /** Whether there was a sign-in. */
    public boolean signedIn() {
        return !formToken.isEmpty();
    }
}
