package io.faasimage.registry.garbage;

import io.faasimage.registry.blob.BlobDirectory;
import io.faasimage.registry.blob.Blobs;
import io.faasimage.registry.config.GarbageSettings;
import io.faasimage.registry.garbage.GarbageTable.Kind;
import io.faasimage.registry.object.StoredUse;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.plan.PlanTable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Removes packs and metadata images that no plan has needed for a while. A pack goes as a whole, when none of its objects is
 * needed. While a job uses what is stored, nothing is removed. Rows go before files, so that a kill leaves only files that no
 * row names, which the next start removes. One thread.
 */
@Component
class Garbage implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Garbage.class);
    private static final long PATIENCE_SECONDS = 600;

    private final PlanTable plans;
    private final PlanFiles files;
    private final GarbageTable table;
    private final Blobs blobs;
    private final StoredUse use;
    private final TransactionOperations transaction;
    private final GarbageSettings settings;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("garbage").factory());
    private volatile boolean running;

    Garbage(
            PlanTable plans,
            PlanFiles files,
            GarbageTable table,
            Blobs blobs,
            StoredUse use,
            TransactionOperations transaction,
            GarbageSettings settings,
            Clock clock) {
        this.plans = plans;
        this.files = files;
        this.table = table;
        this.blobs = blobs;
        this.use = use;
        this.transaction = transaction;
        this.settings = settings;
        this.clock = clock;
    }

    private record Due(List<String> packs, List<String> metadata) {}

    @Override
    public void start() {
        running = true;
        long pause = settings.interval().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::collect, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Looks, and removes what is due. */
    synchronized void collect() {
        try {
            Needed needed = new Needed();
            needed.read(plans, files);
            if (!use.removing(PATIENCE_SECONDS, () -> remove(needed))) {
                LOG.info(
                        "what no plan needs stays until the next search: jobs have been running for {} s",
                        PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.warn("could not remove what no plan needs; the next time is in {}", settings.interval(), e);
        }
    }

    /** Jobs wait meanwhile, so the plans have been read before; there may be a few more by now. */
    private void remove(Needed needed) {
        needed.read(plans, files);
        Due due = transaction.execute(status -> forget(needed));
        if (due == null || (due.packs().isEmpty() && due.metadata().isEmpty())) {
            return;
        }
        long bytes = delete(blobs.packs(), due.packs()) + delete(blobs.metadata(), due.metadata());
        LOG.info(
                "{} packs and {} metadata images removed, {} bytes, that no plan has needed for {}",
                due.packs().size(),
                due.metadata().size(),
                bytes,
                settings.keep());
    }

    private Due forget(Needed needed) {
        Instant now = clock.instant();
        Set<String> packs = table.packsWithout(needed::object);
        Set<String> metadata = table.metadataWithout(needed::metadata);
        table.note(Kind.PACK, packs, now);
        table.note(Kind.METADATA, metadata, now);
        Instant since = now.minus(settings.keep());
        Due due = new Due(table.unneededSince(Kind.PACK, since), table.unneededSince(Kind.METADATA, since));
        table.removePacks(due.packs());
        table.removeMetadata(due.metadata());
        return due;
    }

    private static long delete(BlobDirectory directory, List<String> names) {
        long bytes = 0;
        for (String name : names) {
            try {
                long size = Files.size(directory.path(name));
                directory.delete(name);
                bytes += size;
            } catch (IOException e) {
                LOG.warn("{} stays until the next start of the service: {}", directory.path(name), e.toString());
            }
        }
        return bytes;
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
