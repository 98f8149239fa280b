package io.faasimage.refactor.predict;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The choice of the version that is most like another one: the most leading numbers in common, then the closest. */
public final class NearestVersion {
    private static final long FAR = 1_000_000;

    private NearestVersion() {}

    /** The nearest of {@code known}; empty when there is none. */
    public static Optional<String> of(String wanted, Collection<String> known) {
        long[] numbers = numbers(wanted);
        return known.stream()
                .min(Comparator.comparing((String version) -> !version.equals(wanted))
                        .thenComparing(version -> distance(numbers, numbers(version)), Arrays::compare)
                        .thenComparing(Comparator.reverseOrder()));
    }

    private static long[] distance(long[] a, long[] b) {
        long[] distance = new long[Math.max(a.length, b.length)];
        for (int i = 0; i < distance.length; i++) {
            distance[i] = Math.abs((i < a.length ? a[i] : 0) - (i < b.length ? b[i] : 0));
        }
        return distance;
    }

    private static long[] numbers(String version) {
        return Arrays.stream(version.split("[^0-9]+", -1))
                .filter(part -> !part.isEmpty())
                .mapToLong(part -> part.length() > 6 ? FAR : Long.parseLong(part))
                .toArray();
    }
}
