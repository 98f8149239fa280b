package io.faasimage.registry.session;

import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.Role;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Values that browsers keep and cannot change: signed with a key that comes from a token of the settings, so that
 * several services with one token know each other's. Thread-safe.
 */
final class SealedText {
    static final int MAC_BYTES = 32;

    private SealedText() {}

    /** The signature of some bytes; empty when the role has no token. */
    static Optional<byte[]> sign(AccessToken tokens, Role role, String purpose, byte[] bytes) {
        return tokens.key(role, "faasimage pages " + purpose).map(key -> {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                return mac.doFinal(bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JVM has HmacSHA256", e);
            }
        });
    }

    /** The bytes and their signature, for a cookie. */
    static String seal(byte[] bytes, byte[] mac) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + mac.length);
        System.arraycopy(mac, 0, all, bytes.length, mac.length);
        return text(all);
    }

    /** The bytes of a cookie that this service has signed for this purpose; empty when it has not. */
    static Optional<byte[]> open(AccessToken tokens, String purpose, String value) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (all.length < MAC_BYTES) {
            return Optional.empty();
        }
        byte[] bytes = Arrays.copyOf(all, all.length - MAC_BYTES);
        byte[] mac = Arrays.copyOfRange(all, bytes.length, all.length);
        return sign(tokens, Role.ADMIN, purpose, bytes)
                .filter(expected -> MessageDigest.isEqual(expected, mac))
                .map(_ -> bytes);
    }

    static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
