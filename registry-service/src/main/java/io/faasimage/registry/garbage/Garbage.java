package io.faasimage.registry.garbage;

import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobsDownException;
import io.faasimage.registry.blob.StoreMark;
import io.faasimage.registry.config.GarbageSettings;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredUse;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.replica.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The garbage collector: it removes packs and metadata images that no plan has needed for a while, and indexes of
 * layers that no registered image has. A pack goes as a whole, when none of its objects is needed. While a job uses
 * what is stored, here or in another service, nothing is removed. Rows go before files, so that a kill leaves only
 * files that no row names: the next start removes them, or where several services write, a later search, which lists
 * what lies there. One thread.
 */
@Component
class Garbage implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Garbage.class);
    private static final long PATIENCE_SECONDS = 600;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    private final PlanTable plans;
    private final PlanFiles files;
    private final GarbageTable table;
    private final BlobStore blobs;
    private final StoreMark mark;
    private final ObjectTable objects;
    private final StoredUse use;
    private final Replica replica;
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
            BlobStore blobs,
            StoreMark mark,
            ObjectTable objects,
            StoredUse use,
            Replica replica,
            TransactionOperations transaction,
            GarbageSettings settings,
            Clock clock) {
        this.plans = plans;
        this.files = files;
        this.table = table;
        this.blobs = blobs;
        this.mark = mark;
        this.objects = objects;
        this.use = use;
        this.replica = replica;
        this.transaction = transaction;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public void start() {
        running = true;
        long pause = settings.interval().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::collectInTurn, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** As {@link #collect}, unless another service on this database has just done so: each time it reads all plans. */
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

    /** Looks, and removes what is due. */
    synchronized void collect() {
        try {
            mark.check();
            Needed needed = new Needed();
            needed.read(plans, files);
            if (!aloneWithin(() -> remove(needed))) {
                LOG.info("garbage stays until the next collection: jobs have been running for {} s", PATIENCE_SECONDS);
            }
            blobs.sweep();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ProblemException | BlobsDownException e) {
            LOG.warn("could not collect garbage; next attempt in {}: {}", settings.interval(), e.getMessage());
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("could not remove garbage; next attempt in {}", settings.interval(), e);
        }
    }

    /** What is run fails with an {@link UncheckedIOException}. */
    private boolean aloneWithin(Runnable removal) throws InterruptedException, IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        AtomicBoolean done = new AtomicBoolean();
        try {
            while (!done.get()) {
                long left = TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime());
                if (left <= 0 || !use.removing(left, () -> done.set(replica.collectAlone(removal)))) {
                    return false;
                }
                if (!done.get()) {
                    Thread.sleep(PAUSE);
                }
            }
            return true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Jobs wait meanwhile, so the plans have been read before; there may be a few more by now. */
    private void remove(Needed needed) {
        needed.read(plans, files);
        Map<BlobKind, Set<String>> stored = stored();
        List<Blob> due = transaction.execute(status -> {
            List<Blob> forgotten = forget(needed, stored);
            // At the end: from here to the commit nobody can take this service for dead.
            if (replica.mayRemove()) {
                return forgotten;
            }
            LOG.warn("other services may consider this one dead: no garbage is removed");
            status.setRollbackOnly();
            return List.of();
        });
        if (due == null || due.isEmpty()) {
            return;
        }
        LOG.info("removed {} files that no plan has needed for {}", delete(due), settings.keep());
    }

    /** Jobs wait meanwhile, so a store that is down ends it: what is left has no rows, and is found again. */
    private int delete(List<Blob> due) {
        int removed = 0;
        for (Blob blob : due) {
            if (!replica.mayRemove()) {
                LOG.warn("other services may consider this one dead: {} files stay", due.size() - removed);
                return removed;
            }
            try {
                // Plans and traces are also made while garbage is removed.
                if (!table.hasRow(blob)) {
                    blobs.delete(blob);
                    removed++;
                }
            } catch (IOException e) {
                if (e instanceof BlobsDownException && !BlobsDownException.refusalCauses(e)) {
                    LOG.warn(
                            "{} files stay until a later garbage collection: {}", due.size() - removed, e.getMessage());
                    return removed;
                }
                LOG.warn("{} stays: {}", blob, e.toString());
            }
        }
        return removed;
    }

    /**
     * What lies in the store and is not known by rows alone: layer indexes, and where several services write whatever
     * one that was killed has left.
     */
    private Map<BlobKind, Set<String>> stored() {
        Map<BlobKind, Set<String>> stored = new EnumMap<>(BlobKind.class);
        try {
            for (BlobKind kind : BlobKind.values()) {
                Set<String> names = new HashSet<>();
                if (kind == BlobKind.LAYER || blobs.isShared()) {
                    blobs.names(kind, names::add);
                }
                stored.put(kind, names);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stored;
    }

    private List<Blob> forget(Needed needed, Map<BlobKind, Set<String>> stored) {
        long now = table.seenTime(clock.instant(), settings.interval().multipliedBy(2));
        List<Blob> due = new ArrayList<>();
        stored.forEach((kind, lying) -> {
            Set<String> unneeded = unneeded(kind, needed, lying);
            table.note(kind, unneeded, now);
            List<Blob> old = table.unneededSince(kind, now - settings.keep().toMillis());
            table.remove(kind, old);
            due.addAll(old);
        });
        if (!due.isEmpty()) {
            objects.placesChange();
        }
        return due;
    }

    /** The files of a kind, with rows or lying there, that nothing needs. */
    private Set<String> unneeded(BlobKind kind, Needed needed, Set<String> lying) {
        return switch (kind) {
            case PACK -> {
                GarbageTable.Packs packs = table.packs(needed::object);
                Set<String> unneeded = new TreeSet<>(packs.unneeded());
                lying.stream().filter(name -> !packs.needed().contains(name)).forEach(unneeded::add);
                yield unneeded;
            }
            case METADATA -> {
                Set<String> unneeded = table.metadataWithout(needed::metadata);
                lying.stream().filter(name -> !isNeededMetadata(name, needed)).forEach(unneeded::add);
                yield unneeded;
            }
            case PLAN -> without(lying, table.plans());
            case TRACE -> without(lying, table.traces());
            case LAYER -> without(lying, table.layers());
            case STORE -> Set.of();
        };
    }

    private static boolean isNeededMetadata(String name, Needed needed) {
        return HEX.matcher(name).matches() && needed.metadata(name);
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
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
