package io.faasimage.registry.object;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.springframework.stereotype.Component;

/**
 * A guard that keeps a stored blob from being removed between the moment at which a job finds it and the moment at
 * which a plan names it. Thread-safe.
 */
@Component
public final class StoredUse {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Until the close nothing is removed. */
    public Held use() {
        return held(lock.readLock());
    }

    /**
     * Runs a removal at a moment when nobody uses what is stored; until there is one, nobody is held up.
     *
     * @return false when somebody still did after {@code seconds}: nothing was run then
     */
    public boolean removing(long seconds, Runnable removal) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!lock.writeLock().tryLock()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(PAUSE);
        }
        try {
            removal.run();
            return true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private static Held held(Lock lock) {
        lock.lock();
        return lock::unlock;
    }

    /** A use under way; closed on the thread that began it. */
    @FunctionalInterface
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }
}
