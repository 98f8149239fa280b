package io.faasimage.node.plans.prefetch;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.linux.Errno;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.PageCache;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.PackPlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The reading of present objects into the page cache when a container is prepared, in the order in which its start
 * reads them. It only does something after a boot or under memory pressure: a few objects of each plan are looked at
 * first, and when those are in the page cache, nothing is read. Its own threads do the work; no caller waits for it.
 * Thread-safe.
 */
final class ReadAhead implements AutoCloseable {
    private static final String TOPIC = "read-ahead";
    /** Each waits for the inode of one object at a time; the data arrive in the background. */
    private static final int READERS = 4;

    private static final int SAMPLE = 16;
    private static final int MOST_SAMPLES = 1000;
    /** With fewer objects of the sample in the page cache, the others are read. */
    private static final double WARM = 0.75;

    private final PlanStore plans;
    private final PackPlaces places;
    private final Events events;
    private final Set<Digest> running = ConcurrentHashMap.newKeySet();
    private final Map<Digest, List<Path>> samples = BoundedMap.lastUsed(MOST_SAMPLES);
    private final ExecutorService readers = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("read-ahead").daemon().factory());
    private volatile boolean closing;

    ReadAhead(PlanStore plans, PackPlaces places, Events events) {
        this.plans = plans;
        this.places = places;
        this.events = events;
    }

    /** Begins to read the objects that a start of {@code plan} reads, unless they are cached. Returns at once. */
    void begin(StoredPlan plan) {
        if (!running.add(plan.digest())) {
            return;
        }
        try {
            readers.execute(() -> {
                try {
                    read(plan);
                } finally {
                    running.remove(plan.digest());
                }
            });
        } catch (RejectedExecutionException e) {
            running.remove(plan.digest()); // The node shuts down.
        }
    }

    private void read(StoredPlan plan) {
        long began = System.nanoTime();
        try {
            if (isWarm(sample(plan.digest()))) {
                return;
            }
            PageCache.readAhead(plans.images().path(plan.top().metadata()));
            Plan whole = plans.load(plan.digest());
            AtomicInteger next = new AtomicInteger();
            List<Thread> others = IntStream.range(1, READERS)
                    .mapToObj(
                            _ -> Thread.ofPlatform().name("read-ahead").daemon().start(() -> read(whole, next)))
                    .toList();
            read(whole, next);
            for (Thread other : others) {
                other.join();
            }
            events.info(
                    TOPIC,
                    "read the " + whole.startupCount() + " objects of the prefetch list of plan " + plan.digest()
                            + " from the disk in " + (System.nanoTime() - began) / 1_000_000 + " ms");
        } catch (IOException e) {
            events.info(TOPIC, "the objects of plan " + plan.digest() + " are not read ahead: " + Events.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Plan plan, AtomicInteger next) {
        for (int i = next.getAndIncrement(); i < plan.startupCount() && !closing; i = next.getAndIncrement()) {
            try {
                places.readAhead(plan, i);
            } catch (IOException e) {
                // Not present, or dropped in this moment: a start fetches it.
            }
        }
    }

    /** Files of some objects that are here. */
    private List<Path> sample(Digest digest) throws IOException {
        synchronized (samples) {
            List<Path> known = samples.get(digest);
            if (known != null) {
                return known;
            }
        }
        Plan plan = plans.load(digest);
        int count = plan.startupCount();
        List<Path> sample = IntStream.range(0, Math.min(SAMPLE, count))
                .map(i -> (int) ((long) i * count / SAMPLE))
                .distinct()
                .mapToObj(i -> places.file(plan, i))
                .flatMap(Optional::stream)
                .toList();
        if (sample.size() == Math.min(SAMPLE, count)) {
            synchronized (samples) {
                samples.put(digest, sample);
            }
        }
        return sample;
    }

    /** Whether most present ones of these objects are in the page cache. */
    private boolean isWarm(List<Path> sample) throws LinuxException {
        int present = 0;
        int cached = 0;
        for (Path path : sample) {
            try {
                cached += PageCache.cachedPages(path) > 0 ? 1 : 0;
                present++;
            } catch (LinuxException e) {
                if (e.is(Errno.ENOSYS)) {
                    throw e;
                }
            }
        }
        return cached >= present * WARM;
    }

    @Override
    public void close() {
        closing = true;
        readers.shutdown();
    }
}
