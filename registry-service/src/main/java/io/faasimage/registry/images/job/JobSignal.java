package io.faasimage.registry.images.job;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** A signal that wakes workers when a job was queued. Thread-safe. */
@Component
class JobSignal {
    private final Semaphore queued = new Semaphore(0);

    /** A job was queued and its transaction is over. */
    void wake() {
        if (queued.availablePermits() < Short.MAX_VALUE) {
            queued.release();
        }
    }

    /** Waits until a job may be there, at most so long. */
    void await(Duration limit) throws InterruptedException {
        queued.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
