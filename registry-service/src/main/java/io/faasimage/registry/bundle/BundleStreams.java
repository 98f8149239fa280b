package io.faasimage.registry.bundle;

import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** How many bundles are sent at the same time, up to a limit. Thread-safe. */
@Component
public class BundleStreams {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Semaphore free;
    private final int limit;
    private final LongAdder refused = new LongAdder();

    BundleStreams(RegistrySettings settings) {
        this.limit = settings.bundleStreams();
        this.free = new Semaphore(limit);
    }

    /** A place among those that are sent; closed when it is over. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** How many are sent now. */
    public int taken() {
        return limit - free.availablePermits();
    }

    /** How many can be sent at the same time. */
    public int limit() {
        return limit;
    }

    /** How many found no place since the service began. */
    public long refused() {
        return refused.sum();
    }

    /**
     * Takes a place.
     *
     * @throws ProblemException when all are taken
     */
    public Place enter() {
        if (!free.tryAcquire()) {
            refused.increment();
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    limit + " bundles are being sent, which is the limit; ask again in " + RETRY_AFTER.toSeconds()
                            + " s, or raise --faasimage.bundle-streams",
                    RETRY_AFTER);
        }
        return free::release;
    }
}
