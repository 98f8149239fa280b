package io.faasimage.node.pull;

import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pull.Progress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One pull: finds what is missing and fetches each segment's share on a thread of its own. Run once. */
final class PullRun {
    private static final int KEPT_FAILURES = 5;

    private final Digest digest;
    private final PlanSource source;
    private final ObjectSet set;
    private final PullLines lines;
    private final AtomicInteger toFetch = new AtomicInteger();
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicLong wireBytes = new AtomicLong();
    private final List<String> failures = new ArrayList<>();
    private volatile @Nullable String abort;

    PullRun(Digest digest, PlanSource source, ObjectSet set, PullLines lines) {
        this.digest = digest;
        this.source = source;
        this.set = set;
        this.lines = lines;
    }

    Digest plan() {
        return digest;
    }

    ObjectSet set() {
        return set;
    }

    Progress progress() {
        return new Progress(toFetch.get(), published.get(), wireBytes.get());
    }

    PullReport run() {
        Instant started = lines.clock().instant();
        long begin = System.nanoTime();
        List<PlanObject> objects;
        try {
            Plan plan = source.load();
            objects = set == ObjectSet.STARTUP ? plan.startup() : plan.rest();
        } catch (IOException e) {
            String reason = "could not read plan " + digest + ": " + Events.reason(e);
            return new PullReport(digest, set, started, Duration.ZERO, 0, List.of(), 1, List.of(reason));
        }
        Map<Segment, Map<Digest, PlanObject>> missing = missing(objects);
        int lacking = missing.values().stream().mapToInt(Map::size).sum();
        toFetch.set(lacking);
        List<SegmentPull> segments = new ArrayList<>();
        missing.forEach((segment, wanted) -> segments.add(new SegmentPull(this, lines, segment, wanted)));
        join(segments.stream()
                .map(Thread.ofVirtual().name("pull-", 0)::unstarted)
                .toList());
        return new PullReport(
                digest,
                set,
                started,
                Duration.ofNanos(System.nanoTime() - begin),
                objects.size() - lacking,
                segments.stream().map(SegmentPull::report).toList(),
                lacking - published.get(),
                failures(lacking - published.get()));
    }

    private Map<Segment, Map<Digest, PlanObject>> missing(List<PlanObject> objects) {
        Map<Segment, Map<Digest, PlanObject>> missing = new EnumMap<>(Segment.class);
        for (PlanObject object : objects) {
            if (!lines.sink().holds(object.digest())) {
                missing.computeIfAbsent(object.segment(), s -> new LinkedHashMap<>())
                        .put(object.digest(), object);
            }
        }
        return missing;
    }

    private void join(List<Thread> threads) {
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                threads.forEach(Thread::interrupt);
                abort("the node is shutting down");
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    void countPublished() {
        published.incrementAndGet();
    }

    AtomicLong wireBytes() {
        return wireBytes;
    }

    /** Why nothing more may be fetched: the disk is full, or the node shuts down; null in the normal course. */
    @Nullable
    String aborted() {
        return abort;
    }

    void abort(String reason) {
        if (abort == null) {
            abort = reason;
            failed(reason);
        }
    }

    void failed(String reason) {
        synchronized (failures) {
            if (failures.size() < KEPT_FAILURES && !failures.contains(reason)) {
                failures.add(reason);
            }
        }
    }

    private List<String> failures(int stillMissing) {
        if (stillMissing == 0) {
            return List.of();
        }
        synchronized (failures) {
            return failures.isEmpty()
                    ? List.of("the registry's streams did not bring them, and they are too many to be asked for singly")
                    : List.copyOf(failures);
        }
    }
}
