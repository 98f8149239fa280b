package io.faasimage.registry.session;

import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.config.Role;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.identity.TokenCheck;
import io.faasimage.registry.identity.TokenVerifier;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Component;

/**
 * The maker and reader of sign-ins. One is a value that the browser keeps: whose it is, its end and a random part,
 * signed with a key that comes from a token of the settings. So several services with one token know each other's, a
 * restart ends none, and a new token ends all. A sign-in with a token of the table has the token's ID, and ends with
 * that token. Thread-safe.
 */
@Component
public class Sessions {
    private static final int RANDOM_BYTES = 16;
    private static final int HEAD_BYTES = 1 + Long.BYTES + RANDOM_BYTES;
    private static final int ID_BYTES = 8;
    private static final int MAC_BYTES = 32;

    private static final byte ADMIN = 1;
    private static final byte VIEWER = 2;
    private static final byte TABLE = 3;

    private final AccessToken tokens;
    private final TokenVerifier verifier;
    private final PageSettings settings;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    Sessions(AccessToken tokens, TokenVerifier verifier, PageSettings settings, Clock clock) {
        this.tokens = tokens;
        this.verifier = verifier;
        this.settings = settings;
        this.clock = clock;
    }

    /** The value of a new sign-in of a person whose token was accepted. */
    public String issue(Identity identity) {
        byte[] nonce = new byte[RANDOM_BYTES];
        random.nextBytes(nonce);
        byte code = code(identity);
        byte[] id = code == TABLE ? HexFormat.of().parseHex(identity.id()) : new byte[0];
        byte[] head = ByteBuffer.allocate(HEAD_BYTES + id.length)
                .put(code)
                .putLong(clock.instant().plus(settings.session()).getEpochSecond())
                .put(nonce)
                .put(id)
                .array();
        byte[] mac = sign("session", head).orElseThrow();
        return text(
                ByteBuffer.allocate(head.length + MAC_BYTES).put(head).put(mac).array());
    }

    private static byte code(Identity identity) {
        if (identity.equals(Identity.ADMINISTRATOR)) {
            return ADMIN;
        }
        return identity.equals(Identity.VIEWER) ? VIEWER : TABLE;
    }

    /** The sign-in that a browser presents; empty when it is not ours or over. */
    public Optional<Session> find(String value) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int head = bytes.length - MAC_BYTES;
        if (head < HEAD_BYTES || head != HEAD_BYTES + (bytes[0] == TABLE ? ID_BYTES : 0)) {
            return Optional.empty();
        }
        return find(Arrays.copyOf(bytes, head), Arrays.copyOfRange(bytes, head, bytes.length));
    }

    private Optional<Session> find(byte[] head, byte[] mac) {
        boolean ours = sign("session", head)
                .filter(expected -> MessageDigest.isEqual(expected, mac))
                .isPresent();
        if (!ours || clock.instant().getEpochSecond() >= ByteBuffer.wrap(head).getLong(1)) {
            return Optional.empty();
        }
        return identity(head).flatMap(identity -> sign("form", head).map(form -> new Session(identity, text(form))));
    }

    private Optional<Identity> identity(byte[] head) {
        return switch (head[0]) {
            case ADMIN -> Optional.of(Identity.ADMINISTRATOR);
            case VIEWER -> Optional.of(Identity.VIEWER);
            case TABLE -> {
                String id = HexFormat.of().formatHex(head, HEAD_BYTES, HEAD_BYTES + ID_BYTES);
                yield verifier.recheck(id) instanceof TokenCheck.Accepted accepted
                        ? Optional.of(accepted.identity())
                        : Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    /** Empty for a viewer's sign-in when viewers have no token any more. */
    private Optional<byte[]> sign(String purpose, byte[] head) {
        Role role = head[0] == VIEWER ? Role.VIEWER : Role.ADMIN;
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
