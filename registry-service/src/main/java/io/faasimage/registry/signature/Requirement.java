package io.faasimage.registry.signature;

import java.security.PublicKey;
import java.security.cert.TrustAnchor;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A requirement of a rule: how an image must be signed. */
sealed interface Requirement {
    /** The word of the policy file. */
    String kind();

    /** No signature. */
    record Unsigned() implements Requirement {
        @Override
        public String kind() {
            return "none";
        }
    }

    /** Signed by cosign with one of these keys. */
    record CosignKey(List<PublicKey> keys) implements Requirement {
        public CosignKey {
            keys = List.copyOf(keys);
        }

        @Override
        public String kind() {
            return "cosign-key";
        }

        /** The key by which the signature of a message is. */
        PublicKey signer(byte[] message, byte[] signature) throws SignatureFault {
            return keys.stream()
                    .filter(key -> SigningKeys.verifies(key, message, signature))
                    .findFirst()
                    .orElseThrow(() -> new SignatureFault("it is by none of the rule's keys"));
        }
    }

    /**
     * Signed by cosign with a certificate of these authorities that was valid at the time that a transparency log says.
     *
     * @param roots authorities
     * @param issuer of the identity, exactly as in the certificate's extension
     * @param identity the one subject alternative name: a URI or an e-mail address
     * @param log key of the transparency log
     */
    record CosignKeyless(Set<TrustAnchor> roots, String issuer, NamePattern identity, PublicKey log)
            implements Requirement {
        public CosignKeyless {
            roots = Set.copyOf(roots);
        }

        @Override
        public String kind() {
            return "cosign-keyless";
        }

        /** The identity by which the signature of a message was at a time. */
        String signer(CertificateChain chain, Instant time, byte[] message, byte[] signature) throws SignatureFault {
            chain.verify(roots, time);
            KeylessIdentity signer = KeylessIdentity.of(chain.leaf());
            if (!signer.issuer().equals(issuer) || !identity.matches(signer.name())) {
                throw new SignatureFault("it is of another identity, " + Printable.of(signer.name()) + " of "
                        + Printable.of(signer.issuer()));
            }
            try {
                if (!SigningKeys.verifies(chain.leaf().getPublicKey(), message, signature)) {
                    throw new SignatureFault("it is not by the key of its certificate");
                }
            } catch (IllegalArgumentException e) {
                throw new SignatureFault("the key of its certificate is of a type that is not supported", e);
            }
            return Printable.of(signer.name()) + " (" + Printable.of(signer.issuer()) + ")";
        }
    }

    /** Signed by notation with a certificate of these authorities that is valid now, by one of the identities. */
    record Notation(Set<TrustAnchor> roots, List<TrustedIdentity> identities) implements Requirement {
        public Notation {
            roots = Set.copyOf(roots);
            identities = List.copyOf(identities);
        }

        @Override
        public String kind() {
            return "notation";
        }
    }
}
