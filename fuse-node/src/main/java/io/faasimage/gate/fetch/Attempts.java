package io.faasimage.gate.fetch;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.concurrent.Backoff;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The attempts to fetch one object: repeated after a failure that may pass, with growing pauses, until a deadline. Run
 * by one thread; another may read the progress.
 */
final class Attempts {
    private final ObjectStore store;
    private final ObjectSource source;
    private final FetchLimits limits;
    private final Digest digest;
    private final Deadline deadline;
    private int damaged;
    private int unknown;
    /** Bytes that the best try got: one that gets no farther is no progress. */
    private long furthest;

    private volatile String progress = "not started: all fetches were busy";

    Attempts(ObjectStore store, ObjectSource source, FetchLimits limits, Digest digest, Deadline deadline) {
        this.store = store;
        this.source = source;
        this.limits = limits;
        this.digest = digest;
        this.deadline = deadline;
    }

    /** The outcome of the attempts. */
    sealed interface Result {
        /** Another fetch brought the object. */
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
         */
        record GivenUp(String reason) implements Result {}
    }

    /** Where the tries are, for people. */
    String progress() {
        return progress;
    }

    /** Tries until it succeeds, or no further try may. */
    Result run() {
        Backoff backoff = new Backoff(limits.firstBackoff(), limits.longestBackoff(), new SplittableRandom());
        for (int attempt = 1; ; attempt++) {
            progress = "in attempt " + attempt;
            IOException failure;
            try {
                return fetchOnce();
            } catch (IOException e) {
                failure = e;
            }
            if (isHeldMeanwhile()) {
                return new Result.Found();
            }
            String reason = reason(failure);
            progress = reason + " in attempt " + attempt;
            Duration pause = pause(backoff.next(), failure);
            if (isFinal(failure) || pause.toNanos() >= deadline.left() || !sleep(pause)) {
                return new Result.GivenUp(reason + " (" + (attempt == 1 ? "1 attempt" : attempt + " attempts") + ")");
            }
        }
    }

    private static String reason(IOException failure) {
        String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return failure instanceof ServiceException || failure instanceof StoreException
                ? reason
                : "the transfer was cut off: " + reason;
    }

    /** Whether no further try can succeed. A token may be about to be replaced, a disk about to have room. */
    private boolean isFinal(IOException failure) {
        return switch (failure) {
            case ServiceException e when e.notFound() -> source.isServing() && ++unknown > 1;
            case ServiceException e -> !e.retryable() && e.status() != 401 && e.status() != 403;
            case StoreException e when e.kind() == StoreException.Kind.WRONG_CONTENT -> ++damaged >= limits.attempts();
            default -> false;
        };
    }

    private static Duration pause(Duration own, IOException failure) {
        Duration wanted = failure instanceof ServiceException e ? e.retryAfter().orElse(own) : own;
        return wanted.compareTo(own) > 0 ? wanted : own;
    }

    private Result fetchOnce() throws IOException {
        if (store.makeLate(digest)) {
            return new Result.Found();
        }
        long[] bytes = {0};
        try (InputStream content = source.open(digest, count -> received(bytes, count))) {
            store.publishLate(digest, ObjectStore.UNKNOWN_SIZE, content);
        }
        try (FileChannel object = store.open(digest)) {
            return new Result.Got(object.size());
        }
    }

    private void received(long[] bytes, int count) {
        bytes[0] += count;
        if (bytes[0] > furthest) {
            furthest = bytes[0];
            deadline.bytesCame();
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
}
