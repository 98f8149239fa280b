package io.faasimage.registry.login;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that encrypts passwords in the database: AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a random
 * nonce of 12 bytes before the ciphertext. What a password is for is authenticated with it, so a row of the database
 * that was moved to another repository, user or tenant does not decrypt. Thread-safe.
 */
final class LoginKey {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    private LoginKey(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * Reads a key: a line of Base64 of 32 bytes.
     *
     * @throws IOException when the file is missing or has no such key
     */
    static LoginKey read(Path file) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(Files.readString(file).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not Base64; 'openssl rand -base64 32' makes a key", e);
        }
        if (bytes.length != KEY_BYTES) {
            throw new IOException(
                    file + " has " + bytes.length + " bytes and not 32; 'openssl rand -base64 32' makes" + " a key");
        }
        return new LoginKey(bytes);
    }

    /** Reads the key in {@code file}, which only its owner can read; makes it when it is missing. */
    static LoginKey readOrMake(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] bytes = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(bytes);
            AtomicFile.publishSynced(
                    file,
                    out -> out.write(Base64.getEncoder().encode(bytes)),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        return read(file);
    }

    /** Encrypts; the result is in Base64. */
    String encrypt(String text, String purpose) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] encrypted =
                    cipher(Cipher.ENCRYPT_MODE, nonce, purpose).doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder()
                    .encodeToString(ByteBuffer.allocate(NONCE_BYTES + encrypted.length)
                            .put(nonce)
                            .put(encrypted)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES in GCM", e);
        }
    }

    /**
     * The text that was encrypted for this purpose.
     *
     * @throws IOException when it was encrypted with another key or for another purpose, or is damaged
     */
    String decrypt(String text, String purpose) throws IOException {
        byte[] secret = decoded(text);
        if (secret.length < NONCE_BYTES) {
            throw new IOException("it is cut short");
        }
        ByteBuffer bytes = ByteBuffer.wrap(secret);
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] encrypted = new byte[secret.length - NONCE_BYTES];
        bytes.get(nonce).get(encrypted);
        try {
            return new String(cipher(Cipher.DECRYPT_MODE, nonce, purpose).doFinal(encrypted), StandardCharsets.UTF_8);
        } catch (AEADBadTagException e) {
            throw new IOException("it was encrypted with another key, or for another repository", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES in GCM", e);
        }
    }

    private static byte[] decoded(String text) throws IOException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("it is not Base64", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
