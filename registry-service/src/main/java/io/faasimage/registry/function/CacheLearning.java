package io.faasimage.registry.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.LearntCachesInfo;
import io.faasimage.api.function.LearntCachesInfo.CacheFile;
import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.cache.CacheRow;
import io.faasimage.registry.cache.CacheStore;
import io.faasimage.registry.cache.CacheTable;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.job.JobService;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * The learning of caches: which functions permit it, and what nodes report. What is learnt is of a stack of layers; it
 * is in plans only while every function of these layers permits it, so that no function gets what it has not asked for.
 * The first report counts until it is dropped. A plan that a function is pinned to stays as it is. Thread-safe.
 */
@Service
public class CacheLearning {
    private static final Logger LOG = LoggerFactory.getLogger(CacheLearning.class);

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final FunctionTable functions;
    private final ImageTable images;
    private final CacheTable table;
    private final CacheStore store;
    private final JobService jobs;
    private final AuditLog audit;
    private final Clock clock;
    /** Permission to hold caches in memory. */
    private final Semaphore memory = new Semaphore(1);

    CacheLearning(
            FunctionTable functions,
            ImageTable images,
            CacheTable table,
            CacheStore store,
            JobService jobs,
            AuditLog audit,
            Clock clock) {
        this.functions = functions;
        this.images = images;
        this.table = table;
        this.store = store;
        this.jobs = jobs;
        this.audit = audit;
        this.clock = clock;
    }

    /** Permits to learn from a function's starts. */
    public FunctionInfo learn(String name) {
        return jobs.betweenTraces(() -> set(name, true));
    }

    /** Ends that, and drops what was learnt. */
    public FunctionInfo forget(String name) {
        return jobs.betweenTraces(() -> {
            ChainId chain = chain(get(name));
            FunctionInfo function = set(name, false);
            if (table.remove(chain)) {
                jobs.queueAgain(chain);
            }
            return function;
        });
    }

    private FunctionInfo set(String name, boolean learn) {
        FunctionInfo before = get(name);
        ChainId chain = chain(before);
        rejectPinned(chain);
        changing(chain, () -> functions.learnCaches(before.name(), learn));
        audit.add(
                AuditAction.FUNCTION_CACHES,
                before.name(),
                Map.of("learnCaches", before.learnCaches()),
                Map.of("learnCaches", learn));
        return get(name);
    }

    private void rejectPinned(ChainId chain) {
        images.withTop(chain).stream()
                .flatMap(image -> functions.of(image.digest()).stream())
                .filter(function -> function.pinned() != null)
                .findFirst()
                .ifPresent(pinned -> {
                    throw new ProblemException(
                            ProblemKind.CONFLICT,
                            "function '" + pinned.name() + "' is pinned to a plan of these layers; unpin it first");
                });
    }

    /** Changes the functions of these layers; plans are made again if that permits or forbids what is learnt. */
    void changing(ChainId chain, Runnable change) {
        boolean before = functions.learnCaches(chain);
        change.run();
        if (functions.learnCaches(chain) != before && table.find(chain).isPresent()) {
            jobs.queueAgain(chain);
        }
    }

    /**
     * Takes what a start on {@code node} wrote.
     *
     * @throws ProblemException when not every function of these layers permits it
     */
    public void add(String node, LearntCaches caches) {
        requirePermitted(caches.chain());
        if (table.find(caches.chain()).isPresent()) {
            return;
        }
        Blob blob = store.write(caches);
        boolean added = jobs.betweenTraces(() -> {
            requirePermitted(caches.chain());
            boolean first = table.add(caches.chain(), new CacheRow(blob, node, clock.instant()));
            if (first) {
                jobs.queueAgain(caches.chain());
            }
            return first;
        });
        if (added) {
            LOG.info(
                    "learnt {} files of caches, {} bytes, of {} from node {}",
                    caches.files().size(),
                    caches.bytes(),
                    caches.chain(),
                    node);
        }
    }

    /** What an action gives that holds caches in memory: one at a time, as they are large and the heap is small. */
    public <T, E extends Exception> T alone(Held<T, E> action) throws E {
        if (!memory.tryAcquire()) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY, "other learnt caches are being handled; try again later", RETRY);
        }
        try {
            return action.run();
        } finally {
            memory.release();
        }
    }

    /** An action that holds caches in memory. */
    @FunctionalInterface
    public interface Held<T, E extends Exception> {
        /** What it gives. */
        T run() throws E;
    }

    /** Rejects what was learnt of these layers unless all of their functions permit it. */
    public void requirePermitted(ChainId chain) {
        if (!functions.learnCaches(chain)) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "the functions of " + chain + " are not all to be learnt from: faasimage functions set NAME"
                            + " --learn-caches");
        }
    }

    /** What is learnt for a function. */
    public LearntCachesInfo info(String name) {
        FunctionInfo function = get(name);
        ChainId chain = chain(function);
        Optional<CacheRow> row = table.find(chain);
        if (row.isEmpty()) {
            return new LearntCachesInfo(function.name(), function.learnCaches(), null, null, 0, List.of());
        }
        return alone(() -> info(function, row.get(), store.read(chain, row.get())));
    }

    private static LearntCachesInfo info(FunctionInfo function, CacheRow row, LearntCaches caches) {
        return new LearntCachesInfo(
                function.name(),
                function.learnCaches(),
                row.node(),
                row.learnt(),
                caches.bytes(),
                caches.files().stream()
                        .map(file -> new CacheFile(
                                file.path().display(),
                                file.place().label(),
                                file.content().length,
                                file.digest().toString()))
                        .toList());
    }

    private ChainId chain(FunctionInfo function) {
        return images.find(Digest.parse(function.digest()))
                .map(ImageRow::topChain)
                .orElseThrow(() -> ProblemException.notFound("the image of '" + function.name() + "' was removed"));
    }

    private FunctionInfo get(String name) {
        return functions
                .find(FunctionName.of(name).text())
                .orElseThrow(() -> ProblemException.notFound(
                        "no function '" + name + "' is registered; GET /v1/functions lists the registered ones"));
    }
}
