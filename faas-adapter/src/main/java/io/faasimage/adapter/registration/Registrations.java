package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.api.client.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue of wishes for registry-service, with retries; lost ones are counted and logged. Thread-safe. */
public final class Registrations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    private final WishQueue queue;
    private final QueueConfig config;
    private final Registrar registrar;
    private final ExecutorService workers;
    private final LongAdder granted = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();

    /** Starts the workers. */
    public Registrations(QueueConfig config, Registrar registrar) {
        this.config = config;
        this.registrar = registrar;
        queue = new WishQueue(config.capacity());
        workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("registration-", 1).factory());
        for (int i = 0; i < config.workers(); i++) {
            workers.execute(this::work);
        }
    }

    /** Takes a wish; returns at once. */
    public void offer(Wish wish) {
        if (!queue.offer(wish)) {
            lost(wish, config.capacity() + " others wait already");
        }
    }

    private void work() {
        try {
            for (WishQueue.Entry entry = queue.take(); entry != null; entry = queue.take()) {
                attempt(entry);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(WishQueue.Entry entry) {
        try {
            registrar.grant(entry.wish());
            granted.increment();
            trouble.set(null);
            queue.done(entry);
        } catch (IOException | RuntimeException e) {
            failed.increment();
            again(entry, e);
        }
    }

    private void again(WishQueue.Entry entry, Exception failure) {
        String reason = String.valueOf(failure.getMessage());
        int failures = entry.failed() + 1;
        if (failure instanceof ServiceException answered && !answered.retryable()) {
            queue.done(entry);
            lost(entry.wish(), reason);
        } else if (failures >= config.attempts()) {
            queue.done(entry);
            lost(entry.wish(), reason + " (" + failures + " attempts)");
        } else {
            trouble.set(reason);
            if (failures == 1) {
                LOG.warn("{} has to wait, will be tried again: {}", entry.wish().key(), reason);
            }
            queue.again(entry, pause(failure, failures).toNanos());
        }
    }

    private Duration pause(Exception failure, int failures) {
        Duration usual = config.pause(failures);
        Optional<Duration> asked =
                failure instanceof ServiceException answered ? answered.retryAfter() : Optional.empty();
        return asked.filter(wait -> wait.compareTo(usual) > 0 && wait.compareTo(config.longestPause()) <= 0)
                .orElse(usual);
    }

    private void lost(Wish wish, String reason) {
        lost.increment();
        trouble.set(reason);
        LOG.warn(
                "given up until the next comparison with the provider: {} of {}: {}",
                wish.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                wish.key(),
                reason);
    }

    /** Whether something is under way for this function. */
    boolean isUnderWay(FunctionKey key) {
        return queue.has(key);
    }

    /** Functions that wait for registry-service. */
    public int pending() {
        return queue.size();
    }

    /** Wishes that were granted. */
    public long granted() {
        return granted.sum();
    }

    /** Attempts that failed. */
    public long failed() {
        return failed.sum();
    }

    /** Wishes that were given up. */
    public long lost() {
        return lost.sum();
    }

    /** Why the last attempt failed; empty when it did not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble.get());
    }

    /** Ends; what waits is found again by the comparison at the next start. */
    @Override
    public void close() {
        queue.close();
        workers.shutdownNow();
        try {
            workers.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
