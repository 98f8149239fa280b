package io.faasimage.gate.fetch;

import io.faasimage.api.control.gate.FetchStatus;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A fetcher of objects into the store, each once however many look-ups request it, within a bounded time.
 *
 * <p>Thread-safe. The requesting threads wait. The node agent does the work; while there is none, a fixed number of
 * daemon threads fetches. A flight is over when it has an outcome or when its {@link Deadline} has passed, whichever is
 * first; it is then interrupted. While bytes come, a flight continues up to the cap, so that a large object arrives
 * over a slow link.
 */
public final class ObjectFetcher implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ObjectFetcher.class.getName());
    private static final String STOPPING = "the gate is stopping";
    private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

    private final ObjectStore store;
    private final ObjectSource source;
    private final Agent agent;
    private final FetchLimits limits;
    private final ExecutorService workers;
    private final Semaphore waiting;
    private final ConcurrentHashMap<Digest, Flight> flights = new ConcurrentHashMap<>();
    private final LongAdder fetched = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Refusals refusals = new Refusals();
    private volatile Optional<FetchStatus.Failure> lastFailure = Optional.empty();
    private final AtomicLong lastByte = new AtomicLong(System.nanoTime());

    /** Fetches into {@code store}: through the agent, and from {@code source} while there is none. */
    public ObjectFetcher(ObjectStore store, Agent agent, ObjectSource source, FetchLimits limits) {
        this.store = store;
        this.agent = agent;
        this.source = source;
        this.limits = limits;
        this.waiting = new Semaphore(limits.waiting());
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                limits.concurrent(),
                limits.concurrent(),
                IDLE_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(limits.waiting()),
                Thread.ofPlatform().name("fetch-", 0).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        this.workers = pool;
    }

    /**
     * Returns when the object is present under both its names, or cannot be fetched. Waits while bytes come, up to the
     * cap.
     */
    public FetchOutcome fetch(Digest digest) {
        if (!waiting.tryAcquire()) {
            return refuse(digest, limits.waiting() + " look-ups wait already; is the service reachable?");
        }
        try {
            return switch (agent.fetch(digest)) {
                case Agent.Reply.Brought() -> brought(digest);
                case Agent.Reply.Failed(String reason) -> failed(digest, reason);
                case Agent.Reply.Absent(String _) -> outcome(flights.computeIfAbsent(digest, this::start));
            };
        } catch (RejectedExecutionException e) {
            return refuse(digest, workers.isShutdown() ? STOPPING : "the queue of fetches is full");
        } finally {
            waiting.release();
        }
    }

    /** Sends the agent a request and ignores the reply. */
    public void warmUp(Digest digest) {
        agent.fetch(digest);
    }

    private FetchOutcome brought(Digest digest) {
        try {
            if (store.makeLate(digest)) {
                return new FetchOutcome.Present();
            }
            // It was evicted in between.
            Agent.Reply again = agent.fetch(digest);
            if (again instanceof Agent.Reply.Failed(String reason)) {
                return failed(digest, reason);
            }
            if (again instanceof Agent.Reply.Brought() && store.makeLate(digest)) {
                return new FetchOutcome.Present();
            }
            return outcome(flights.computeIfAbsent(digest, this::start));
        } catch (IOException e) {
            return failed(digest, "it could not be linked into the late directory: " + e);
        }
    }

    private FetchOutcome failed(Digest digest, String why) {
        String reason = "could not fetch object " + digest + ": " + why;
        note(reason);
        return new FetchOutcome.Failed(reason);
    }

    private void note(String reason) {
        failed.increment();
        lastFailure = Optional.of(new FetchStatus.Failure(Instant.now(), reason));
        LOG.log(Level.WARNING, reason + "; the reader gets an input/output error, another read requests it again");
    }

    private FetchOutcome refuse(Digest digest, String why) {
        String reason = "object " + digest + " was not fetched: " + why;
        refusals.add(reason);
        return new FetchOutcome.Failed(reason);
    }

    /** The counts. */
    public FetchStatus status() {
        int waiters = limits.waiting() - waiting.availablePermits();
        return new FetchStatus(fetched.sum(), bytes.sum(), failed.sum(), refusals.count(), waiters, lastFailure);
    }

    /** Ends all flights; their waiters get a failure. */
    @Override
    public void close() {
        workers.shutdownNow();
        flights.values().forEach(flight -> flight.finish(new FetchOutcome.Failed(STOPPING)));
    }

    private Flight start(Digest digest) {
        Deadline deadline = new Deadline(limits, lastByte);
        Flight flight = new Flight(digest, new Attempts(store, source, limits, digest, deadline), deadline);
        flight.runOn(workers, () -> fly(flight));
        return flight;
    }

    private void fly(Flight flight) {
        flight.deadline().begin();
        try {
            finish(flight, flight.attempts().run());
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a bug in fetching object " + flight.digest(), e);
            finish(flight, new Attempts.Result.GivenUp("an internal error: " + e));
        }
    }

    private FetchOutcome outcome(Flight flight) {
        try {
            return flight.await();
        } catch (TimeoutException e) {
            boolean capped = flight.deadline().isCapped();
            String reason = capped
                    ? "not complete after " + limits.cap().toMillis() + " ms"
                    : "no answer in " + limits.stall().toMillis() + " ms";
            String whole = reason + " (" + flight.attempts().progress() + ")";
            FetchOutcome late = finish(flight, new Attempts.Result.GivenUp(whole));
            flight.interrupt();
            return late;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new FetchOutcome.Failed("interrupted while waiting for object " + flight.digest());
        }
    }

    /** Ends a flight once; a second end gets the first outcome. */
    private FetchOutcome finish(Flight flight, Attempts.Result result) {
        FetchOutcome outcome = switch (result) {
            case Attempts.Result.Got _, Attempts.Result.Found _ -> new FetchOutcome.Present();
            case Attempts.Result.GivenUp(String reason) ->
                new FetchOutcome.Failed("could not fetch object " + flight.digest() + ": " + reason);
        };
        if (flight.claimEnd()) {
            flights.remove(flight.digest(), flight);
            count(result, outcome);
            flight.finish(outcome);
        }
        return flight.outcome();
    }

    private void count(Attempts.Result result, FetchOutcome outcome) {
        switch (result) {
            case Attempts.Result.Found() -> {}
            case Attempts.Result.Got(long size) -> {
                fetched.increment();
                bytes.add(size);
            }
            case Attempts.Result.GivenUp(String _) -> {
                if (outcome instanceof FetchOutcome.Failed(String reason)) {
                    note(reason);
                }
            }
        }
    }
}
