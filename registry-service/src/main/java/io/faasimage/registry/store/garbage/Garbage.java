package io.faasimage.registry.store.garbage;

import io.faasimage.registry.platform.config.GarbageSettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import io.faasimage.registry.store.blob.StoreMark;
import io.faasimage.registry.store.object.ObjectTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The garbage collector: it removes blobs that nothing has needed for a while. A pack is removed as a whole, when no
 * plan needs it. Rows of objects are removed first, in a transaction during which no plan is added; then each blob is
 * removed while its row is locked, so that a service that stores it again waits. A kill leaves at most blobs whose rows
 * the next collection finds. One thread.
 */
@Component
class Garbage implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Garbage.class);
    /** The time that a stored blob may wait for the transaction that needs it. */
    private static final Duration PUBLICATION = Duration.ofHours(1);

    private final GarbageTable table;
    private final BlobStore blobs;
    private final StoreMark mark;
    private final ObjectTable objects;
    private final TransactionOperations transaction;
    private final GarbageSettings settings;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("garbage").factory());
    private volatile boolean running;

    Garbage(
            GarbageTable table,
            BlobStore blobs,
            StoreMark mark,
            ObjectTable objects,
            TransactionOperations transaction,
            GarbageSettings settings,
            Clock clock) {
        this.table = table;
        this.blobs = blobs;
        this.mark = mark;
        this.objects = objects;
        this.transaction = transaction;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public void start() {
        running = true;
        long pause = settings.interval().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::collectAll, pause, pause, TimeUnit.MILLISECONDS);
    }

    private void collectAll() {
        try {
            collectInTurn();
        } catch (RuntimeException | Error e) {
            // A task that throws is not run again.
            LOG.warn("could not collect garbage; next attempt in {}", settings.interval(), e);
        }
    }

    /** Variant of {@link #collect} that does nothing when another service on this database has just collected. */
    void collectInTurn() {
        try {
            Instant now = clock.instant();
            Instant recent = now.minus(settings.interval().dividedBy(2));
            if (table.lastSearch()
                    .filter(last -> last.isAfter(recent) && !last.isAfter(now))
                    .isEmpty()) {
                collect();
            }
        } catch (DataAccessException e) {
            LOG.warn("could not read the time of the last garbage collection: {}", e.toString());
        }
    }

    /** Searches for garbage, and removes blobs that are due. */
    synchronized void collect() {
        try {
            mark.check();
            remove(search());
            blobs.sweep();
        } catch (ProblemException | BlobsDownException e) {
            LOG.warn("could not collect garbage; next attempt in {}: {}", settings.interval(), e.getMessage());
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("could not remove garbage; next attempt in {}", settings.interval(), e);
        }
    }

    /** Returns the time that was seen to pass until now. */
    private long search() {
        return Objects.requireNonNull(transaction.execute(status -> {
            long now = table.seenTime(clock.instant(), settings.interval().multipliedBy(2));
            table.note(now);
            return now;
        }));
    }

    private void remove(long now) {
        int removed = 0;
        for (List<Blob> due = due("", now);
                !due.isEmpty();
                due = due(due.getLast().toString(), now)) {
            for (Blob blob : due) {
                try {
                    removed += remove(blob, now) ? 1 : 0;
                } catch (UncheckedIOException e) {
                    IOException cause = Objects.requireNonNull(e.getCause());
                    if (cause instanceof BlobsDownException && !BlobsDownException.refusalCauses(cause)) {
                        LOG.warn("garbage stays until the next collection: {}", cause.getMessage());
                        return;
                    }
                    LOG.warn("{} stays: {}", blob, cause.toString());
                }
            }
        }
        if (removed > 0) {
            LOG.info("removed {} files that nothing has needed for {}", removed, settings.keep());
        }
    }

    private List<Blob> due(String after, long now) {
        return Objects.requireNonNull(transaction.execute(status -> {
            objects.keepPlaces();
            return table.forget(after, now - settings.keep().toMillis(), now - PUBLICATION.toMillis());
        }));
    }

    private boolean remove(Blob blob, long now) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            if (!table.forget(blob, now)) {
                return false;
            }
            try {
                blobs.delete(blob);
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
