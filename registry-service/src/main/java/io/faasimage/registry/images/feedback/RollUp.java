package io.faasimage.registry.images.feedback;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that adds up rows that requests append to a table: soon after it is woken, and every few seconds, as other
 * services append to the same table. When it lags behind, requests are refused. Thread-safe.
 */
public final class RollUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RollUp.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    /** So that many small appends are added up together. */
    private static final Duration GATHER = Duration.ofMillis(100);

    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final int CLOSE_SECONDS = 5;

    /** The table that is added up. */
    public interface Table {
        /** Adds up the rows that are ready, in transactions of its own. */
        void addUp();

        /** The number of waiting rows. */
        long waiting();
    }

    private final String name;
    private final Table table;
    private final int limit;
    private final Semaphore woken = new Semaphore(0);
    private final ReentrantLock adding = new ReentrantLock();
    private final Thread thread;
    private volatile long waiting;
    private volatile boolean closed;

    /**
     * Begins.
     *
     * @param name of the rows that are added up, for people
     * @param limit most rows that may wait
     */
    public RollUp(String name, Table table, int limit) {
        this.name = name;
        this.table = table;
        this.limit = limit;
        this.thread = Thread.ofPlatform().daemon().name("roll-up").start(this::work);
    }

    /**
     * To be called before something is appended.
     *
     * @throws ProblemException when too much waits already
     */
    public void admit() {
        if (waiting >= limit) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    waiting + " " + name + " wait to be added up, the limit is " + limit + "; retry in "
                            + RETRY.toSeconds() + " s, or raise --faasimage.database.uncounted",
                    RETRY);
        }
    }

    /** Something was appended. */
    public void wake() {
        if (woken.availablePermits() == 0) {
            woken.release();
        }
    }

    /** The number of waiting rows when they were last counted. */
    public long waiting() {
        return waiting;
    }

    /** Adds up the appended rows now, unless another service is doing so. */
    public void run() {
        adding.lock();
        try {
            table.addUp();
            waiting = table.waiting();
        } finally {
            adding.unlock();
        }
    }

    private void work() {
        while (!closed) {
            try {
                woken.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS);
                Thread.sleep(GATHER);
                woken.drainPermits();
                run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (!closed) {
                    LOG.warn("{} could not be added up and are tried again: {}", name, e.toString());
                }
            }
        }
    }

    /**
     * Ends after the transaction that is under way; the remaining rows are added up by another service or the next one.
     */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        wake();
        if (!thread.join(Duration.ofSeconds(CLOSE_SECONDS))) {
            LOG.warn("{} are still being added up while the service stops", name);
        }
    }
}
