package io.faasimage.format.statement;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Ed25519 public keys that verify statements, each with the SHA-256 of its SubjectPublicKeyInfo as ID. Immutable. */
public final class VerifyingKeys {
    private static final String ALGORITHM = "Ed25519";
    private static final int POINT_BYTES = 32;
    private static final int WARM_UP = 5;

    private final Map<Digest, PublicKey> keys;

    private VerifyingKeys(Map<Digest, PublicKey> keys) {
        this.keys = Map.copyOf(keys);
    }

    /** One key. */
    public static VerifyingKeys of(PublicKey key) {
        return new VerifyingKeys(Map.of(Digest.of(key.getEncoded()), key));
    }

    /**
     * The keys of PEM text, one or more.
     *
     * @throws FormatException when there is none, or one is not of Ed25519
     */
    public static VerifyingKeys parse(String pem) throws FormatException {
        List<byte[]> blocks = Pem.blocks(pem, Pem.PUBLIC_KEY);
        if (blocks.isEmpty()) {
            throw FormatException.corrupt("no public key, which begins with -----BEGIN PUBLIC KEY-----");
        }
        Map<Digest, PublicKey> found = new LinkedHashMap<>();
        for (byte[] der : blocks) {
            try {
                PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(der));
                found.put(Digest.of(key.getEncoded()), key);
            } catch (GeneralSecurityException e) {
                throw FormatException.corrupt("a public key that is not of Ed25519: " + e.getMessage());
            }
        }
        return new VerifyingKeys(found);
    }

    /**
     * The keys of all files.
     *
     * @throws IOException when a file is missing or has no key; the message names the file
     */
    public static VerifyingKeys read(Collection<Path> files) throws IOException {
        Map<Digest, PublicKey> found = new LinkedHashMap<>();
        for (Path file : files) {
            try {
                found.putAll(parse(Files.readString(file)).keys);
            } catch (NoSuchFileException e) {
                throw new IOException("the file of public keys " + file + " does not exist", e);
            } catch (FormatException e) {
                throw new IOException(file + " cannot be used: it has " + e.getMessage(), e);
            }
        }
        return new VerifyingKeys(found);
    }

    /** These and others. */
    public VerifyingKeys and(VerifyingKeys others) {
        Map<Digest, PublicKey> all = new LinkedHashMap<>(keys);
        all.putAll(others.keys);
        return new VerifyingKeys(all);
    }

    /** The IDs of the keys, ascending. */
    public List<Digest> ids() {
        return keys.keySet().stream().sorted().toList();
    }

    /** Each key as PEM text, in the order of {@link #ids}. */
    public List<String> pem() {
        List<String> texts = new ArrayList<>();
        for (Digest id : ids()) {
            PublicKey key = keys.get(id);
            if (key != null) {
                texts.add(Pem.text(Pem.PUBLIC_KEY, key.getEncoded()));
            }
        }
        return texts;
    }

    /** Whether the key that a document names is one of these. */
    public boolean has(Digest key) {
        return keys.containsKey(key);
    }

    /**
     * Verifies made-up signatures, which takes 0.1 seconds. The first verification in a JVM needs that long for the
     * code and the tables of Ed25519; one after it takes some milliseconds, and once it is compiled some 100 us.
     *
     * @return how many of them were valid, which is none
     */
    public long warmUp() {
        Map.Entry<Digest, PublicKey> any = keys.entrySet().iterator().next();
        SignedDocument signed = madeUp(any.getKey(), any.getValue());
        return IntStream.range(0, WARM_UP).filter(_ -> verify(signed)).count();
    }

    /** A signature that is refused at the end only: its first half, a point of the curve, is the key's own. */
    private static SignedDocument madeUp(Digest id, PublicKey key) {
        byte[] encoded = key.getEncoded();
        byte[] signature = new byte[2 * POINT_BYTES];
        System.arraycopy(encoded, encoded.length - POINT_BYTES, signature, 0, POINT_BYTES);
        signature[POINT_BYTES] = 1;
        return new SignedDocument(encoded, id, signature);
    }

    /** Whether the key that a document names is one of these and has signed it. Takes some 100 us. */
    public boolean verify(SignedDocument signed) {
        PublicKey key = keys.get(signed.key());
        if (key == null) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key);
            signature.update(signed.document());
            return signature.verify(signed.signature());
        } catch (SignatureException e) {
            return false;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has Ed25519", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("key " + signed.key() + " was Ed25519 when it was read", e);
        }
    }
}
