package io.faasimage.registry.session;

import io.faasimage.registry.config.PageSettings;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Lets an address that presented wrong tokens wait: after the allowed number half a minute, then twice as long each time, up to a
 * quarter of an hour. An IPv6 network of 64 bits counts as one address. Remembers a bounded number of them. Thread-safe.
 */
@Component
public class SignInLimit {
    private static final int MAX_ADDRESSES = 10_000;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private record Failures(int count, Instant until, Instant forget) {}

    private final PageSettings settings;
    private final Clock clock;
    private final Map<String, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    SignInLimit(PageSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** How long the address has to wait still; zero when it may try. */
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
    public synchronized void failed(String address) {
        Instant now = clock.instant();
        Failures before = failures.get(network(address));
        int count = before == null || now.isAfter(before.forget()) ? 1 : before.count() + 1;
        int beyond = count - settings.attempts();
        Duration pause = beyond < 0 ? Duration.ZERO : FIRST_WAIT.multipliedBy(1L << Math.min(beyond, 10));
        pause = pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause;
        failures.put(network(address), new Failures(count, now.plus(pause), now.plus(LONGEST_WAIT.multipliedBy(2))));
    }

    /** The address presented the right token. */
    public synchronized void succeeded(String address) {
        failures.remove(network(address));
    }

    /** {@code address} is what the servlet container gives, a literal: nothing is looked up. */
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
