package io.faasimage.registry.store.bundle;

import io.faasimage.registry.platform.config.BlobSettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/**
 * The limits on bundles that are sent at the same time, and on those of them that are read from a bucket. Thread-safe.
 */
@Component
public class BundleStreams {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Semaphore free;
    private final int limit;
    private final Semaphore connections;
    private final int maxConnections;
    private final LongAdder refused = new LongAdder();

    BundleStreams(RegistrySettings settings, BlobSettings blobs) {
        this.limit = settings.bundleStreams();
        this.free = new Semaphore(limit);
        this.maxConnections = blobs.s3().connections();
        this.connections = new Semaphore(maxConnections);
    }

    /** A place among those that are sent; closed when it is over. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** The number of bundles that are being sent. */
    public int taken() {
        return limit - free.availablePermits();
    }

    /** The number of bundles that can be sent at the same time. */
    public int limit() {
        return limit;
    }

    /** The number of bundles that found no place since the service began. */
    public long refused() {
        return refused.sum();
    }

    /**
     * Takes a place.
     *
     * @throws ProblemException when all are taken
     */
    public Place enter() {
        return take(free, limit + " bundles are being sent", "--faasimage.bundle-streams");
    }

    /**
     * Takes a place for one that no files of this machine have all of.
     *
     * @throws ProblemException when all are taken
     */
    Place enterRemote() {
        return take(
                connections,
                maxConnections + " bundles are being read from the bucket",
                "--faasimage.blobs.s3.connections");
    }

    private Place take(Semaphore places, String taken, String option) {
        if (!places.tryAcquire()) {
            refused.increment();
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    taken + ", which is the limit; retry in " + RETRY_AFTER.toSeconds() + " s, or raise " + option,
                    RETRY_AFTER);
        }
        return places::release;
    }
}
