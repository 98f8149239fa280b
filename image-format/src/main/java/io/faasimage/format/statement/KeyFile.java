package io.faasimage.format.statement;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.pem.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/** A private key in a PEM file, as {@code openssl genpkey -algorithm ed25519} makes it. Read once; thread-safe. */
public final class KeyFile implements Signer {
    private static final String ALGORITHM = "Ed25519";

    private final PrivateKey key;
    private final VerifyingKeys publicKey;

    private KeyFile(PrivateKey key, VerifyingKeys publicKey) {
        this.key = key;
        this.publicKey = publicKey;
    }

    /**
     * Reads a key.
     *
     * @throws IOException when the file is missing or has no such key; the message names it
     */
    public static KeyFile read(Path file) throws IOException {
        List<byte[]> blocks;
        try {
            blocks = Pem.blocks(Files.readString(file), Pem.PRIVATE_KEY);
        } catch (NoSuchFileException e) {
            throw new IOException("the file " + file + " does not exist", e);
        }
        if (blocks.size() != 1) {
            throw new IOException(file + " must have one -----BEGIN PRIVATE KEY-----, not " + blocks.size()
                    + "; 'openssl genpkey -algorithm ed25519' makes one");
        }
        try {
            PrivateKey key =
                    KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(blocks.getFirst()));
            return new KeyFile(key, VerifyingKeys.of(publicKey(key)));
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " has a private key that is not of Ed25519: " + e.getMessage(), e);
        }
    }

    /** The file has the seed alone, and the JDK derives the public key only while it makes a pair. */
    private static PublicKey publicKey(PrivateKey key) throws GeneralSecurityException {
        byte[] seed = ((EdECPrivateKey) key)
                .getBytes()
                .orElseThrow(() -> new GeneralSecurityException("its bytes cannot be read"));
        KeyPairGenerator pairs = KeyPairGenerator.getInstance(ALGORITHM);
        pairs.initialize(NamedParameterSpec.ED25519, new Seed(seed));
        return pairs.generateKeyPair().getPublic();
    }

    /** A source of one seed. */
    private static final class Seed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length != seed.length) {
                throw new IllegalStateException("a seed of " + bytes.length + " bytes was requested");
            }
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /** Makes a new key that only this user can read, and its public key beside it. */
    public static void generate(Path file, Path publicFile) throws IOException {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            publish(publicFile, Pem.text(Pem.PUBLIC_KEY, pair.getPublic().getEncoded()), "rw-r--r--");
            publish(file, Pem.text(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()), "rw-------");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has Ed25519", e);
        }
    }

    private static void publish(Path file, String text, String permissions) throws IOException {
        AtomicFile.publishSynced(
                file,
                out -> out.write(text.getBytes(StandardCharsets.US_ASCII)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
    }

    @Override
    public VerifyingKeys publicKey() {
        return publicKey;
    }

    @Override
    public byte[] sign(byte[] document) throws IOException {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(document);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IOException("could not sign with the key in a file: " + e.getMessage(), e);
        }
    }
}
