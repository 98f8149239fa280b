package io.faasimage.registry.session;

import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.config.Role;
import io.faasimage.registry.identity.Identity;
import io.faasimage.registry.identity.People;
import io.faasimage.registry.identity.Person;
import io.faasimage.registry.identity.TokenCheck;
import io.faasimage.registry.identity.TokenVerifier;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * The maker and reader of sign-ins. One is a value that the browser keeps: its owner, its end and a random part, signed
 * with a key that comes from a token of the settings. So several services with one token know each other's, a restart
 * ends none, and a new token ends all. A sign-in with a token of the table has the token's ID, and ends with that
 * token. One of a person of the provider has the person and its groups, and permits what the settings permit these
 * groups at each request. Thread-safe.
 */
@Component
public class Sessions {
    private static final int RANDOM_BYTES = 16;
    private static final int HEAD_BYTES = 1 + Long.BYTES + RANDOM_BYTES;
    private static final int ID_BYTES = 8;
    private static final int MAC_BYTES = SealedText.MAC_BYTES;
    private static final Pattern TABLE_ID = Pattern.compile("[0-9a-f]{16}");

    private static final byte ADMIN = 1;
    private static final byte VIEWER = 2;
    private static final byte TABLE = 3;
    private static final byte PERSON = 4;

    private final AccessToken tokens;
    private final TokenVerifier verifier;
    private final People people;
    private final PageSettings settings;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    Sessions(AccessToken tokens, TokenVerifier verifier, People people, PageSettings settings, Clock clock) {
        this.tokens = tokens;
        this.people = people;
        this.verifier = verifier;
        this.settings = settings;
        this.clock = clock;
    }

    /** Whether a token with this identity can sign in: those of the settings and of the table. */
    public static boolean canIssue(Identity identity) {
        return code(identity) != TABLE || TABLE_ID.matcher(identity.id()).matches();
    }

    /** The value of a new sign-in with a token that was accepted. */
    public String issue(Identity identity) {
        byte code = code(identity);
        return issue(code, code == TABLE ? HexFormat.of().parseHex(identity.id()) : new byte[0]);
    }

    /**
     * The value of a new sign-in of a person whom the provider has signed in.
     *
     * @throws IllegalArgumentException when the person is in too many groups for a cookie
     */
    public String issue(Person person) {
        return issue(PERSON, PersonCode.encode(people.issuer(), person));
    }

    private String issue(byte code, byte[] id) {
        byte[] nonce = new byte[RANDOM_BYTES];
        random.nextBytes(nonce);
        byte[] head = ByteBuffer.allocate(HEAD_BYTES + id.length)
                .put(code)
                .putLong(clock.instant().plus(settings.session()).getEpochSecond())
                .put(nonce)
                .put(id)
                .array();
        return SealedText.seal(head, sign("session", head).orElseThrow());
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
        if (head < HEAD_BYTES || !hasRightLength(bytes[0], head - HEAD_BYTES)) {
            return Optional.empty();
        }
        return find(Arrays.copyOf(bytes, head), Arrays.copyOfRange(bytes, head, bytes.length));
    }

    private static boolean hasRightLength(byte code, int id) {
        return switch (code) {
            case TABLE -> id == ID_BYTES;
            case PERSON -> id <= PersonCode.MOST_BYTES;
            default -> id == 0;
        };
    }

    private Optional<Session> find(byte[] head, byte[] mac) {
        boolean ours = sign("session", head)
                .filter(expected -> MessageDigest.isEqual(expected, mac))
                .isPresent();
        if (!ours || clock.instant().getEpochSecond() >= ByteBuffer.wrap(head).getLong(1)) {
            return Optional.empty();
        }
        return identity(head)
                .flatMap(identity -> sign("form", head).map(form -> new Session(identity, SealedText.text(form))));
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
            case PERSON -> person(Arrays.copyOfRange(head, HEAD_BYTES, head.length));
            default -> Optional.empty();
        };
    }

    private Optional<Identity> person(byte[] code) {
        return people.canSignIn()
                ? PersonCode.decode(people.issuer(), code)
                        .map(people::recheck)
                        .flatMap(check -> check instanceof TokenCheck.Accepted accepted
                                ? Optional.of(accepted.identity())
                                : Optional.empty())
                : Optional.empty();
    }

    /** Empty for a viewer's sign-in when viewers have no token any more. */
    private Optional<byte[]> sign(String purpose, byte[] head) {
        Role role = head[0] == VIEWER ? Role.VIEWER : Role.ADMIN;
        return SealedText.sign(tokens, role, purpose, head);
    }
}
