package io.faasimage.node.containerd.catalogue;

import io.faasimage.api.concurrent.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The images that are not tried for a while, by name, with the reason. For one thread, but for {@link #reasons}. */
final class Delays {
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, Delay> delays = new TreeMap<>();

    private record Delay(Backoff backoff, Instant until, String reason) {}

    Delays(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** Whether the image is to be tried now. */
    synchronized boolean isDue(String name) {
        return Optional.ofNullable(delays.get(name))
                .map(delay -> !clock.instant().isBefore(delay.until()))
                .orElse(true);
    }

    /** The image could not be made ready; true when that is new, or for another reason than before. */
    synchronized boolean failed(String name, String reason) {
        Delay before = delays.get(name);
        Backoff backoff = before == null ? new Backoff(FIRST, LONGEST, random) : before.backoff();
        delays.put(name, new Delay(backoff, clock.instant().plus(backoff.next()), reason));
        return before == null || !before.reason().equals(reason);
    }

    /** The image is left alone for so long. */
    synchronized void put(String name, Duration pause, String reason) {
        delays.put(
                name,
                new Delay(new Backoff(FIRST, LONGEST, random), clock.instant().plus(pause), reason));
    }

    /** The image is ready. */
    synchronized void clear(String name) {
        delays.remove(name);
    }

    /** Only these images are wanted now. */
    synchronized void keep(Collection<String> names) {
        delays.keySet().retainAll(names);
    }

    /** Why images are not ready, by name. */
    synchronized List<String> reasons() {
        return delays.entrySet().stream()
                .map(delay -> delay.getKey() + ": " + delay.getValue().reason())
                .toList();
    }
}
