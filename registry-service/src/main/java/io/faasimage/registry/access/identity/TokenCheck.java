package io.faasimage.registry.access.identity;

import java.time.Duration;

/** The outcome of the verification of a token. */
public sealed interface TokenCheck {
    /** The token is valid. */
    record Accepted(Identity identity) implements TokenCheck {}

    /**
     * The token is genuine and not accepted: it has expired, was revoked, or permits nothing here.
     *
     * @param identity whose it is
     * @param reason a sentence about the token
     */
    record Refused(Identity identity, String reason) implements TokenCheck {}

    /**
     * A token that cannot be verified now; it does not count as a wrong one.
     *
     * @param reason a sentence for the caller
     */
    record Unverifiable(String reason) implements TokenCheck {}

    /** The token was never ours. */
    record Unknown() implements TokenCheck {}

    /** The address has presented too many wrong tokens, and this one may be a further guess. */
    record MustWait(Duration left) implements TokenCheck {}
}
