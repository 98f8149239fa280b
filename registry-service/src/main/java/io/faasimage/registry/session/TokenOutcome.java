package io.faasimage.registry.session;

import io.faasimage.registry.identity.Identity;
import java.time.Duration;

/** The outcome of presenting a token. */
public sealed interface TokenOutcome {
    /** The token is valid. */
    record Accepted(Identity identity) implements TokenOutcome {}

    /**
     * The token was valid once.
     *
     * @param identity whose it was
     * @param reason a sentence about the token
     */
    record Ended(Identity identity, String reason) implements TokenOutcome {}

    /** The token was never ours. */
    record Wrong() implements TokenOutcome {}

    /** The address has presented too many wrong tokens, and this one may be a further guess. */
    record MustWait(Duration left) implements TokenOutcome {}
}
