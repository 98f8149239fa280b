package io.faasimage.registry.signature;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** The one algorithm (RFC 7518) that notation permits for each kind and size of key. */
enum JwsAlgorithm {
    PS256(256),
    PS384(384),
    PS512(512),
    ES256(256),
    ES384(384),
    ES512(512);

    private final int hashBits;

    JwsAlgorithm(int hashBits) {
        this.hashBits = hashBits;
    }

    /** The algorithm of a key. What an envelope says is compared with it, and never chooses. */
    static JwsAlgorithm of(PublicKey key) throws SignatureFault {
        return switch (key) {
            case RSAPublicKey rsa when rsa.getModulus().bitLength() == 2048 -> PS256;
            case RSAPublicKey rsa when rsa.getModulus().bitLength() == 3072 -> PS384;
            case RSAPublicKey rsa when rsa.getModulus().bitLength() == 4096 -> PS512;
            case ECPublicKey ec when SigningKeys.bits(ec) == 256 -> ES256;
            case ECPublicKey ec when SigningKeys.bits(ec) == 384 -> ES384;
            case ECPublicKey ec when SigningKeys.bits(ec) == 521 -> ES512;
            default -> throw new SignatureFault("the key of its certificate is of a type that is not supported");
        };
    }

    boolean verifies(PublicKey key, byte[] message, byte[] signature) {
        try {
            Signature verifier = verifier();
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            // A signature that has not even the form of one.
            return false;
        }
    }

    private Signature verifier() throws GeneralSecurityException {
        return switch (this) {
            case PS256, PS384, PS512 -> {
                Signature verifier = Signature.getInstance("RSASSA-PSS");
                String hash = "SHA-" + hashBits;
                verifier.setParameter(new PSSParameterSpec(
                        hash,
                        "MGF1",
                        new MGF1ParameterSpec(hash),
                        hashBits / Byte.SIZE,
                        PSSParameterSpec.TRAILER_FIELD_BC));
                yield verifier;
            }
            case ES256, ES384, ES512 -> Signature.getInstance("SHA" + hashBits + "withECDSAinP1363Format");
        };
    }
}
