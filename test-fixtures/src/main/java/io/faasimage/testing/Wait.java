package io.faasimage.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A wait for a state that the other side does not announce: polls until it is there, or fails. The pause between two
 * polls is as long as the poll took, since one that starts a program needs a processor. An exception of a poll is
 * rethrown as an {@link AssertionError}.
 */
public final class Wait {
    private static final Duration SHORTEST = Duration.ofMillis(5);
    private static final Duration USUAL = Duration.ofMinutes(1);

    private Wait() {}

    /** Waits up to a minute. */
    public static void until(String what, Callable<Boolean> question) {
        until(USUAL, what, question);
    }

    /** Waits up to {@code limit}. */
    public static void until(Duration limit, String what, Callable<Boolean> question) {
        await(limit, question, isSo -> isSo, _ -> what);
    }

    /** Waits up to a minute until a value is as wanted, which is the result. */
    public static <T> T value(Callable<T> value, Predicate<? super T> isWanted) {
        return value(USUAL, value, isWanted);
    }

    /** Waits up to {@code limit} until a value is as wanted, which is the result. */
    public static <T> T value(Duration limit, Callable<T> value, Predicate<? super T> isWanted) {
        return await(limit, value, isWanted, now -> "another value than " + now);
    }

    private static <T> T await(
            Duration limit, Callable<T> value, Predicate<? super T> isWanted, Function<T, String> what) {
        long start = System.nanoTime();
        while (true) {
            long asked = System.nanoTime();
            T now = get(value);
            if (isWanted.test(now)) {
                return now;
            }
            long answered = System.nanoTime();
            if (answered - start > limit.toNanos()) {
                throw new AssertionError("waited " + limit.toSeconds() + " s for " + what.apply(now));
            }
            LockSupport.parkNanos(Math.max(SHORTEST.toNanos(), answered - asked));
        }
    }

    private static <T> T get(Callable<T> value) {
        try {
            return value.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
