package io.faasimage.registry.bundle;

import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;

/** How many bundles are sent at the same time, up to a limit. Thread-safe. */
@Component
public class BundleStreams {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Semaphore free;
    private final int limit;

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

    /**
     * Takes a place.
     *
     * @throws ProblemException when all are taken
     */
    public Place enter() {
        if (!free.tryAcquire()) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    limit + " bundles are being sent, which is the limit; ask again in " + RETRY_AFTER.toSeconds()
                            + " s, or raise --faasimage.bundle-streams",
                    RETRY_AFTER);
        }
        return free::release;
    }
}
