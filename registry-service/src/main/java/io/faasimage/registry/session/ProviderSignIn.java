package io.faasimage.registry.session;

import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.Role;
import io.faasimage.registry.provider.CodeExchange.Attempt;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The sign-ins at the provider that have begun. The browser keeps a random seed in a signed cookie; state, nonce and
 * PKCE's verifier are signatures of that seed, so any service with the same token can continue, and the browser never
 * sees the verifier. Thread-safe.
 */
@Component
public class ProviderSignIn {
    /** The time that a person may take at the provider. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    private static final String PURPOSE = "provider sign-in";
    private static final int SEED_BYTES = 32;
    private static final int NEXT = Long.BYTES + SEED_BYTES;

    private final AccessToken tokens;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ProviderSignIn(AccessToken tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * A sign-in that has begun.
     *
     * @param cookie value that the browser keeps meanwhile
     * @param attempt the part that goes to the provider
     * @param next where to go afterwards
     */
    public record Begun(String cookie, Attempt attempt, String next) {}

    /** Begins a sign-in whose answer comes to {@code redirect}. */
    public Begun begin(String next, URI redirect) {
        byte[] seed = new byte[SEED_BYTES];
        random.nextBytes(seed);
        byte[] address = next.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ByteBuffer.allocate(NEXT + address.length)
                .putLong(clock.instant().plus(LIMIT).getEpochSecond())
                .put(seed)
                .put(address)
                .array();
        String cookie = SealedText.seal(
                bytes, SealedText.sign(tokens, Role.ADMIN, PURPOSE, bytes).orElseThrow());
        return new Begun(cookie, attempt(seed, redirect), next);
    }

    /** The sign-in that an answer with this state continues; empty when this browser began none, or too long ago. */
    public Optional<Begun> resume(String cookie, String state, URI redirect) {
        return SealedText.open(tokens, PURPOSE, cookie)
                .filter(bytes -> bytes.length >= NEXT
                        && clock.instant().getEpochSecond()
                                < ByteBuffer.wrap(bytes).getLong())
                .map(bytes -> new Begun(
                        cookie,
                        attempt(Arrays.copyOfRange(bytes, Long.BYTES, NEXT), redirect),
                        new String(bytes, NEXT, bytes.length - NEXT, StandardCharsets.UTF_8)))
                .filter(begun -> MessageDigest.isEqual(
                        begun.attempt().state().getBytes(StandardCharsets.UTF_8),
                        state.getBytes(StandardCharsets.UTF_8)));
    }

    private Attempt attempt(byte[] seed, URI redirect) {
        return new Attempt(derived("state", seed), derived("nonce", seed), derived("verifier", seed), redirect);
    }

    private String derived(String part, byte[] seed) {
        return SealedText.text(
                SealedText.sign(tokens, Role.ADMIN, PURPOSE + " " + part, seed).orElseThrow());
    }
}
