package io.faasimage.registry.access.session;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.token.Scope;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.platform.config.PageSettings;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * The limit on wrong tokens: an address must wait after the allowed number half a minute, then twice as long each time,
 * up to a quarter of an hour. Sign-ins and the API count together. The same wrong token again is no further guess, so
 * that a client with an old token makes no other client wait. An IPv6 network of 64 bits counts as one address.
 * Remembers a bounded number of them. Thread-safe.
 */
@Component
public class SignInLimit {
    private static final int MAX_ADDRESSES = 10_000;

    /** Enough for the nodes of a large fleet, each with a token of its own. */
    private static final int MAX_PROOFS = 50_000;

    private static final Duration FIRST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private static final Duration PROVEN = Duration.ofHours(1);
    private static final int REMEMBERED_TOKENS = 4;

    /** Each is a session of the database for ten minutes. */
    private static final int MOST_BEGUN = 1_000;

    private static final Duration BEGUN = Duration.ofMinutes(10);

    private record Proof(String network, String token) {}

    private record Begun(Instant since, int count) {}

    private record Failures(int count, Instant until, Instant forget, List<Digest> tokens) {}

    private final PageSettings settings;
    private final Clock clock;
    private final Map<String, Failures> failures = BoundedMap.lastUsed(MAX_ADDRESSES);
    /** The time at which an address last presented a right token. */
    private final Map<Proof, Instant> proven = BoundedMap.lastUsed(MAX_PROOFS);

    /** Sign-ins at the provider that an address has begun. */
    private final Map<String, Begun> begun = BoundedMap.lastUsed(MAX_ADDRESSES);

    SignInLimit(PageSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** The time that the address still has to wait; zero when it may try. */
    public synchronized Duration wait(String address) {
        Failures failed = failures.get(network(address));
        Duration left = failed == null ? Duration.ZERO : Duration.between(clock.instant(), failed.until());
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        // The clock may have been set back.
        return left.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : left;
    }

    /** The address presented a wrong token. */
    public synchronized void failed(String address, String token) {
        Instant now = clock.instant();
        Digest guess = Digest.of(token.getBytes(StandardCharsets.UTF_8));
        Failures known = failures.get(network(address));
        Failures before = known == null || now.isAfter(known.forget())
                ? new Failures(0, Instant.MIN, Instant.MIN, List.of())
                : known;
        if (before.tokens().contains(guess)) {
            return;
        }
        int count = before.count() + 1;
        int beyond = count - settings.attempts();
        Duration pause = beyond < 0 ? Duration.ZERO : FIRST_WAIT.multipliedBy(1L << Math.min(beyond, 10));
        pause = pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause;
        failures.put(
                network(address),
                new Failures(
                        count,
                        now.plus(pause),
                        now.plus(LONGEST_WAIT.multipliedBy(2)),
                        Stream.concat(Stream.of(guess), before.tokens().stream())
                                .limit(REMEMBERED_TOKENS)
                                .toList()));
    }

    /** The address signed in. A viewer's sign-in leaves the count: who has that token may still guess the other. */
    public synchronized void succeeded(String address, Identity identity) {
        if (identity.may(Scope.ADMIN)) {
            failures.remove(network(address));
        }
    }

    /** The address presented a right token to the API. */
    public synchronized void prove(String address, Identity identity) {
        proven.put(new Proof(network(address), identity.id()), clock.instant());
    }

    /**
     * Whether the address presented the token with this ID to the API of late. Clients behind such an address are not
     * made to wait for attempts of others behind it: an attacker beside a node must not be able to stop its pulls. That
     * holds for this token alone, or a viewer could try the administrator's as fast as the service answers.
     */
    public synchronized boolean isProven(String address, String id) {
        Instant last = proven.get(new Proof(network(address), id));
        return last != null && clock.instant().isBefore(last.plus(PROVEN));
    }

    /** Counts a sign-in at the provider that begins; whether the address may have one more. */
    public synchronized boolean mayBegin(String address) {
        Instant now = clock.instant();
        Begun before = begun.get(network(address));
        Begun after = before == null || now.isAfter(before.since().plus(BEGUN))
                ? new Begun(now, 1)
                : new Begun(before.since(), before.count() + 1);
        begun.put(network(address), after);
        return after.count() <= MOST_BEGUN;
    }

    /** {@code address} comes from the servlet container, a literal: nothing is looked up. */
    private static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            InetAddress parsed = InetAddress.getByName(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), 8))
                    : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
