package io.faasimage.registry.object;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.springframework.stereotype.Component;

/**
 * Keeps what is stored from being removed between the moment at which somebody finds it stored and the one at which a plan says
 * that it is needed. Thread-safe; fair, so that a removal gets its turn.
 */
@Component
public final class StoredUse {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

    /** Until the close nothing is removed. */
    public Held use() {
        return held(lock.readLock());
    }

    /**
     * Runs a removal when nobody uses what is stored.
     *
     * @return false when somebody still did after {@code seconds}: nothing was run then
     */
    public boolean removing(long seconds, Runnable removal) throws InterruptedException {
        if (!lock.writeLock().tryLock(seconds, TimeUnit.SECONDS)) {
            return false;
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
