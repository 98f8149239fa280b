package io.faasimage.format.statement;

import java.io.IOException;

/** An Ed25519 private key, wherever it is. Must be thread-safe. */
public interface Signer {
    /** Its public key, a single one. */
    VerifyingKeys publicKey();

    /**
     * The signature of {@code document}, within a bounded time; the caller verifies it.
     *
     * @throws IOException when the key cannot be used now; the message has the reason
     */
    byte[] sign(byte[] document) throws IOException;
}
