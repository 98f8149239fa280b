package io.faasimage.gate.fetch;

import io.faasimage.api.RegistryException;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The tries to get one object: again after a failure that may pass, with growing pauses, until a deadline. Run by one
 * thread; another may read the progress.
 */
final class Attempts {
    private static final int BACKOFF_FACTOR = 3;
    private final ObjectStore store;
    private final ObjectSource source;
    private final FetchLimits limits;
    private final Digest digest;
    private final int most;
    private final Deadline deadline;
    private volatile String progress = "not begun: all fetches were busy";

    Attempts(ObjectStore store, ObjectSource source, FetchLimits limits, Digest digest, int most, Deadline deadline) {
        this.store = store;
        this.source = source;
        this.limits = limits;
        this.digest = digest;
        this.most = most;
        this.deadline = deadline;
    }

    /** What the tries came to. */
    sealed interface Result {
        /** Somebody else has brought it. */
        record Found() implements Result {}

        /**
         * It was fetched.
         *
         * @param bytes its raw size
         */
        record Got(long bytes) implements Result {}

        /**
         * It is not.
         *
         * @param reason for people, with the number of attempts
         * @param unreachable whether the registry itself seems to be down
         */
        record GivenUp(String reason, boolean unreachable) implements Result {}
    }

    /** Where the tries are, for people. */
    String progress() {
        return progress;
    }

    /** Tries until it succeeds, or no further try may. */
    Result run() {
        Duration backoff = limits.firstBackoff();
        for (int attempt = 1; ; attempt++) {
            progress = "in attempt " + attempt;
            Failure failure;
            try {
                return fetchOnce();
            } catch (IOException e) {
                failure = Failure.of(e);
            }
            if (isHeldMeanwhile()) {
                return new Result.Found();
            }
            progress = failure.reason() + " in attempt " + attempt;
            Duration pause = failure.pause(backoff);
            boolean inTime = pause.toNanos() < deadline.left();
            if (!failure.mayPass() || attempt == most || !inTime || !sleep(pause)) {
                String tries = attempt == 1 ? "1 attempt" : attempt + " attempts";
                return new Result.GivenUp(failure.reason() + " (" + tries + ")", failure.unreachable());
            }
            backoff = backoff.multipliedBy(BACKOFF_FACTOR);
        }
    }

    private Result fetchOnce() throws IOException {
        if (store.makeLate(digest)) {
            return new Result.Found();
        }
        try (InputStream content = source.open(digest, deadline::bytesCame)) {
            store.publishLate(digest, ObjectStore.UNKNOWN_SIZE, content);
        }
        try (FileChannel held = store.open(digest)) {
            return new Result.Got(held.size());
        }
    }

    /** A failed try hides nothing that the pull engine has brought meanwhile. */
    private boolean isHeldMeanwhile() {
        try {
            return store.makeLate(digest);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Why one try failed.
     *
     * @param reason for people
     * @param mayPass whether another try may succeed
     * @param unreachable whether the registry did not answer, or not properly
     * @param retryAfter the least pause that the registry asks for
     */
    private record Failure(String reason, boolean mayPass, boolean unreachable, Duration retryAfter) {
        static Failure of(IOException e) {
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            return switch (e) {
                case RegistryException r ->
                    new Failure(
                            reason, r.retryable(), r.retryable(), r.retryAfter().orElse(Duration.ZERO));
                case StoreException s -> {
                    boolean wrong = s.kind() == StoreException.Kind.WRONG_CONTENT;
                    yield new Failure(reason, wrong, false, Duration.ZERO);
                }
                default -> new Failure("the transfer broke off: " + reason, true, false, Duration.ZERO);
            };
        }

        /** The pause before the next try, spread a little so that nodes do not retry in step. */
        Duration pause(Duration backoff) {
            long spread = backoff.toNanos() / 4;
            Duration own = backoff.plusNanos(ThreadLocalRandom.current().nextLong(spread + 1));
            return own.compareTo(retryAfter) >= 0 ? own : retryAfter;
        }
    }
}
