package io.faasimage.registry.session;

import io.faasimage.registry.identity.Identity;
import java.time.Duration;

/** The outcome of presenting a token. */
public sealed interface TokenOutcome {
    /** The token is valid. */
    record Accepted(Identity identity) implements TokenOutcome {}

    /**
     * The token is genuine and not accepted: it has expired, was revoked, or permits nothing here.
     *
     * @param identity whose it is
     * @param reason a sentence about the token
     */
    record Refused(Identity identity, String reason) implements TokenOutcome {}

    /**
     * A token that cannot be verified now; it does not count as a wrong one.
     *
     * @param reason a sentence for the caller
     */
    record Unverifiable(String reason) implements TokenOutcome {}

    /** The token was never ours. */
    record Wrong() implements TokenOutcome {}

    /** The address has presented too many wrong tokens, and this one may be a further guess. */
    record MustWait(Duration left) implements TokenOutcome {}
}
