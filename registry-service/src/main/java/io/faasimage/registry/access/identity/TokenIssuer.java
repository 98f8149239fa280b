package io.faasimage.registry.access.identity;

/** An issuer outside of the service whose tokens the service accepts. Implementations are thread-safe. */
interface TokenIssuer {
    /** Whether the token claims to be of this issuer; not yet verified. */
    boolean isOf(String claimedIssuer);

    /** Verifies a token, by its issuer's keys. */
    TokenCheck check(String token);
}
