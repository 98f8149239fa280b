package io.faasimage.registry.signature;

import java.security.PublicKey;
import java.security.cert.TrustAnchor;
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
