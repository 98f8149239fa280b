package io.faasimage.registry.store.signing;

import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.Signer;
import io.faasimage.format.statement.VerifyingKeys;
import java.io.IOException;
import java.util.Optional;

/** The signatures of this service: its present key, if it has one, and those that it had before. Thread-safe. */
public final class Signing {
    /** No signatures: nothing is signed, and nothing that is stored needs one. */
    public static final Signing OFF = new Signing(Optional.empty(), Optional.empty());

    private final Optional<Signer> signer;
    private final Optional<VerifyingKeys> trusted;

    private Signing(Optional<Signer> signer, Optional<VerifyingKeys> trusted) {
        this.signer = signer;
        this.trusted = trusted;
    }

    /** Signatures of {@code signer}; those of {@code earlier} keys count as well. */
    static Signing with(Signer signer, Optional<VerifyingKeys> earlier) {
        VerifyingKeys present = signer.publicKey();
        return new Signing(
                Optional.of(signer), Optional.of(earlier.map(present::and).orElse(present)));
    }

    /** Whether this service signs. */
    public boolean isOn() {
        return signer.isPresent();
    }

    /** The ID of the present key. */
    public Optional<Digest> key() {
        return signer.map(key -> key.publicKey().ids().getFirst());
    }

    /** The public keys of all signatures that count. */
    public Optional<VerifyingKeys> trusted() {
        return trusted;
    }

    /**
     * Signs a document with the present key; empty when there is none.
     *
     * @throws SigningException when the key cannot be used, or is not that of the public key
     */
    public Optional<SignedDocument> sign(byte[] document) throws SigningException {
        if (signer.isEmpty()) {
            return Optional.empty();
        }
        Signer key = signer.get();
        byte[] signature = signature(key, document);
        if (signature.length != SignedDocument.SIGNATURE_BYTES) {
            throw new SigningException("the signature has " + signature.length + " bytes, one of Ed25519 has "
                    + SignedDocument.SIGNATURE_BYTES);
        }
        SignedDocument signed =
                new SignedDocument(document, key.publicKey().ids().getFirst(), signature);
        if (!key.publicKey().verify(signed)) {
            throw new SigningException("the signature is not one of the public key " + signed.key());
        }
        return Optional.of(signed);
    }

    private static byte[] signature(Signer key, byte[] document) throws SigningException {
        try {
            return key.sign(document);
        } catch (IOException e) {
            throw new SigningException(e);
        }
    }

    /** Whether the present key or an earlier one has signed it. */
    public boolean verify(SignedDocument signed) {
        return trusted.filter(keys -> keys.verify(signed)).isPresent();
    }
}
