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

/** The queue of changes for registry-service, with retries; lost ones are counted and logged. Thread-safe. */
public final class Registrations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    private final RegistrationQueue queue;
    private final QueueConfig config;
    private final Registrar registrar;
    private final ExecutorService workers;
    private final LongAdder applied = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();

    /** Starts the workers. */
    public Registrations(QueueConfig config, Registrar registrar) {
        this.config = config;
        this.registrar = registrar;
        queue = new RegistrationQueue(config.capacity());
        workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("registration-", 1).factory());
        for (int i = 0; i < config.workers(); i++) {
            workers.execute(this::work);
        }
    }

    /** Queues a change; returns at once. */
    public void offer(RegistrationChange change) {
        if (!queue.offer(change)) {
            lost(change, config.capacity() + " others wait already");
        }
    }

    private void work() {
        try {
            for (RegistrationQueue.Entry entry = queue.take(); entry != null; entry = queue.take()) {
                attempt(entry);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(RegistrationQueue.Entry entry) {
        try {
            registrar.apply(entry.change());
            applied.increment();
            trouble.set(null);
            queue.done(entry);
        } catch (IOException | RuntimeException e) {
            failed.increment();
            again(entry, e);
        }
    }

    private void again(RegistrationQueue.Entry entry, Exception failure) {
        String reason = String.valueOf(failure.getMessage());
        int failures = entry.failed() + 1;
        if (failure instanceof ServiceException answered && !answered.retryable()) {
            queue.done(entry);
            lost(entry.change(), reason);
        } else if (failures >= config.attempts()) {
            queue.done(entry);
            lost(entry.change(), reason + " (" + failures + " attempts)");
        } else {
            trouble.set(reason);
            if (failures == 1) {
                LOG.warn(
                        "{} has to wait, will be tried again: {}",
                        entry.change().key(),
                        reason);
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

    private void lost(RegistrationChange change, String reason) {
        lost.increment();
        trouble.set(reason);
        LOG.warn(
                "given up until the next comparison with the provider: {} of {}: {}",
                change.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                change.key(),
                reason);
    }

    /** Whether a change of this function waits or is under way. */
    boolean isUnderWay(FunctionKey key) {
        return queue.has(key);
    }

    /** Functions that wait for registry-service. */
    public int pending() {
        return queue.size();
    }

    /** Changes that were applied. */
    public long applied() {
        return applied.sum();
    }

    /** Attempts that failed. */
    public long failed() {
        return failed.sum();
    }

    /** Changes that were given up. */
    public long lost() {
        return lost.sum();
    }

    /** Why the last attempt failed; empty when it did not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble.get());
    }

    /** Ends; the comparison at the next start finds the waiting changes again. */
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
