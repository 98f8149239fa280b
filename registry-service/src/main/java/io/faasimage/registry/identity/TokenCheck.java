package io.faasimage.registry.identity;

/** The outcome of the verification of a token. */
public sealed interface TokenCheck {
    /** The token is valid. */
    record Accepted(Identity identity) implements TokenCheck {}

    /**
     * The token was valid once.
     *
     * @param identity whose it was
     * @param reason a sentence about the token
     */
    record Ended(Identity identity, String reason) implements TokenCheck {}

    /** The token was never ours. */
    record Unknown() implements TokenCheck {}
}
