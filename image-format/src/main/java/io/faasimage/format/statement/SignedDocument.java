package io.faasimage.format.statement;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.id.Digest;
import java.util.Arrays;
import java.util.Base64;

/**
 * An encoded statement with its Ed25519 signature (RFC 8032), which covers all of its bytes, and the ID of the key.
 * Immutable; that the parts can be read says nothing of the signature, see {@link VerifyingKeys}.
 */
public final class SignedDocument {
    /** Length of a signature. */
    public static final int SIGNATURE_BYTES = 64;

    /** Longest form: in Base64, it fits into the headers of an answer. */
    public static final int MAX_BYTES = 4 << 10;

    private static final int TRAILER_BYTES = Digest.BYTES + SIGNATURE_BYTES;

    private final byte[] document;
    private final Digest key;
    private final byte[] signature;

    /** A document with the ID of the key and the signature that it made. */
    public SignedDocument(byte[] document, Digest key, byte[] signature) {
        if (signature.length != SIGNATURE_BYTES || document.length + TRAILER_BYTES > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a document of " + document.length + " bytes with a signature of " + signature.length);
        }
        this.document = document.clone();
        this.key = key;
        this.signature = signature.clone();
    }

    /** The statement's bytes; a new array. */
    public byte[] document() {
        return document.clone();
    }

    /** The ID of the key: the SHA-256 of the public key as SubjectPublicKeyInfo. */
    public Digest key() {
        return key;
    }

    /** The signature; a new array. */
    byte[] signature() {
        return signature.clone();
    }

    /** Document, key and signature in one. */
    public byte[] encode() {
        return new ByteWriter(document.length + TRAILER_BYTES)
                .raw(document)
                .digest(key)
                .raw(signature)
                .toBytes();
    }

    /** Parses the bytes of {@link #encode}. */
    public static SignedDocument decode(byte[] bytes) throws FormatException {
        if (bytes.length < TRAILER_BYTES || bytes.length > MAX_BYTES) {
            throw FormatException.corrupt("not a signed statement: it has " + bytes.length + " bytes");
        }
        ByteReader in = new ByteReader("signed statement", bytes, 0, bytes.length);
        return new SignedDocument(in.raw(bytes.length - TRAILER_BYTES), in.digest(), in.raw(SIGNATURE_BYTES));
    }

    /** As a line of text, for a header. */
    public String text() {
        return Base64.getEncoder().encodeToString(encode());
    }

    /** From such a line. */
    public static SignedDocument parse(String text) throws FormatException {
        if (text.length() > 2 * MAX_BYTES) {
            throw FormatException.corrupt("not a signed statement: it has " + text.length() + " characters");
        }
        try {
            return decode(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw FormatException.corrupt("a signed statement is not Base64: " + e.getMessage());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SignedDocument signed && Arrays.equals(encode(), signed.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(signature);
    }

    @Override
    public String toString() {
        return "statement signed by " + key;
    }
}
