package io.faasimage.registry.session;

import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.config.Role;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Component;

/**
 * The maker and reader of sign-ins. One is a value that the browser keeps: role, end and a random part, signed with a
 * key that comes from the role's token. So several services with one token know each other's, a restart ends none, and
 * a new token ends all. Thread-safe.
 */
@Component
public class Sessions {
    private static final int RANDOM_BYTES = 16;
    private static final int HEAD_BYTES = 1 + Long.BYTES + RANDOM_BYTES;
    private static final int MAC_BYTES = 32;
    private static final Map<Byte, Role> CODES = Map.of((byte) 1, Role.ADMIN, (byte) 2, Role.VIEWER);

    private final AccessToken tokens;
    private final PageSettings settings;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    Sessions(AccessToken tokens, PageSettings settings, Clock clock) {
        this.tokens = tokens;
        this.settings = settings;
        this.clock = clock;
    }

    /** The value of a new sign-in of a person that presents the token; empty when it is not one of ours. */
    public Optional<String> signIn(String token) {
        return tokens.role(token).map(this::issue);
    }

    private String issue(Role role) {
        byte[] nonce = new byte[RANDOM_BYTES];
        random.nextBytes(nonce);
        byte[] head = ByteBuffer.allocate(HEAD_BYTES)
                .put(code(role))
                .putLong(clock.instant().plus(settings.session()).getEpochSecond())
                .put(nonce)
                .array();
        byte[] mac = sign("session", role, head).orElseThrow();
        return text(
                ByteBuffer.allocate(HEAD_BYTES + MAC_BYTES).put(head).put(mac).array());
    }

    private static byte code(Role role) {
        return switch (role) {
            case ADMIN -> 1;
            case VIEWER -> 2;
        };
    }

    /** The sign-in that a browser presents; empty when it is not ours or over. */
    public Optional<Session> find(String value) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (bytes.length != HEAD_BYTES + MAC_BYTES || !CODES.containsKey(bytes[0])) {
            return Optional.empty();
        }
        Role role = Objects.requireNonNull(CODES.get(bytes[0]));
        byte[] head = Arrays.copyOf(bytes, HEAD_BYTES);
        byte[] mac = Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length);
        boolean ours = sign("session", role, head)
                .filter(expected -> MessageDigest.isEqual(expected, mac))
                .isPresent();
        if (!ours || clock.instant().getEpochSecond() >= ByteBuffer.wrap(bytes).getLong(1)) {
            return Optional.empty();
        }
        return sign("form", role, head).map(form -> new Session(role, text(form)));
    }

    private Optional<byte[]> sign(String purpose, Role role, byte[] head) {
        return tokens.key(role, "faasimage pages " + purpose).map(key -> {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                return mac.doFinal(head);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JVM has HmacSHA256", e);
            }
        });
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
