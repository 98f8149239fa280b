package io.faasimage.registry.provider;

import com.nimbusds.jwt.JWTClaimsSet;

/** The outcome of the verification of a token that an issuer has signed. */
public sealed interface SignedToken {
    /** The issuer has signed it, for us, and it has not expired. */
    record Valid(JWTClaimsSet claims) implements SignedToken {}

    /** The issuer has signed it, for us, and it has expired. */
    record Expired(JWTClaimsSet claims) implements SignedToken {}

    /**
     * It was not issued by this issuer, or not for us.
     *
     * @param reason a part of a sentence, without the token
     */
    record Invalid(String reason) implements SignedToken {}

    /**
     * The keys cannot be read now.
     *
     * @param reason a sentence for the caller
     */
    record Unverifiable(String reason) implements SignedToken {}
}
