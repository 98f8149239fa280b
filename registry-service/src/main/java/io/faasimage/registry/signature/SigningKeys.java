package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of signers, and signatures as cosign makes them: ECDSA in DER, RSA with PKCS #1 padding and SHA-256,
 * Ed25519. The algorithm follows from the key alone; nothing that is signed chooses it.
 */
final class SigningKeys {
    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 8192;

    private SigningKeys() {}

    /** A key of a SubjectPublicKeyInfo. */
    static PublicKey parse(byte[] der) {
        for (String type : List.of("EC", "Ed25519", "RSA")) {
            @Nullable PublicKey key = parse(type, der);
            if (key != null) {
                algorithms(key);
                return key;
            }
        }
        throw new IllegalArgumentException("not a public key of type ECDSA P-256 or P-384, Ed25519 or RSA");
    }

    private static @Nullable PublicKey parse(String type, byte[] der) {
        try {
            return KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(der));
        } catch (InvalidKeySpecException e) {
            // It is of another type.
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + type, e);
        }
    }

    /** The algorithms that a key's signatures may have. cosign signs with SHA-256 with P-384, too, in some versions. */
    private static List<String> algorithms(PublicKey key) {
        return switch (key) {
            case ECPublicKey ec when bits(ec) == 256 -> List.of("SHA256withECDSA");
            case ECPublicKey ec when bits(ec) == 384 -> List.of("SHA384withECDSA", "SHA256withECDSA");
            case EdECPublicKey ed when ed.getParams().getName().equals("Ed25519") -> List.of("Ed25519");
            case RSAPublicKey rsa
            when rsa.getModulus().bitLength() >= MIN_RSA_BITS
                    && rsa.getModulus().bitLength() <= MAX_RSA_BITS -> List.of("SHA256withRSA");
            default ->
                throw new IllegalArgumentException("the key is none of ECDSA P-256 or P-384, Ed25519, and RSA with "
                        + MIN_RSA_BITS + " to " + MAX_RSA_BITS + " bits");
        };
    }

    static int bits(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize();
    }

    /** Whether a signature is one of the key over the message. */
    static boolean verifies(PublicKey key, byte[] message, byte[] signature) {
        return algorithms(key).stream().anyMatch(algorithm -> verifies(algorithm, key, message, signature));
    }

    private static boolean verifies(String algorithm, PublicKey key, byte[] message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            // A signature that has not even the form of one.
            return false;
        }
    }

    /** What messages and pages call a key: the SHA-256 of its SubjectPublicKeyInfo. */
    static String fingerprint(PublicKey key) {
        return "key " + Digest.of(key.getEncoded());
    }
}
