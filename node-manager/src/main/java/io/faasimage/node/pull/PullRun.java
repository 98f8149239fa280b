package io.faasimage.node.pull;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.IndexRanges;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceBusyException;
import io.faasimage.node.pull.Pull.Progress;
import io.faasimage.node.pull.PullWorker.FirstAnswer;
import io.faasimage.node.pull.WantedObjects.Wanted;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One pull: looks which objects of a part of a plan are missing and lets a few workers fetch them. */
final class PullRun {
    private static final String TOPIC = "pull";
    /** Fewer system calls in a start than with the default of 8 KiB (decision 16). */
    private static final int BUFFER_BYTES = 64 << 10;

    private final Digest digest;
    private final PlanSource source;
    private final Part part;
    private final boolean background;
    private final PullLines lines;
    private final ChunkSize chunks = new ChunkSize();
    private final PullFailures failures;
    private final SegmentCounts counts = new SegmentCounts();
    private final AtomicLong wireBytes = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile @Nullable WantedObjects wanted;
    private volatile boolean forgotten;

    /**
     * A pull that has not begun.
     *
     * @param background whether it waits for the pulls that starts wait for
     */
    PullRun(Digest digest, PlanSource source, Part part, boolean background, PullLines lines) {
        this.digest = digest;
        this.source = source;
        this.part = part;
        this.background = background;
        this.lines = lines;
        this.failures = new PullFailures(lines.config());
    }

    Digest plan() {
        return digest;
    }

    Part part() {
        return part;
    }

    boolean isBackground() {
        return background;
    }

    ChunkSize chunks() {
        return chunks;
    }

    Progress progress() {
        WantedObjects all = wanted;
        return all == null ? new Progress(0, 0, 0) : new Progress(all.count(), all.held(), wireBytes.get());
    }

    /** Whether this pull brings the object; false before it has looked. */
    boolean wants(Digest object) {
        WantedObjects all = wanted;
        return all != null && all.find(object).isPresent();
    }

    /** Pulls; returns when the outcome of every object is known. */
    PullReport run(Optional<PlanAnswer> answer) {
        Instant started = lines.clock().instant();
        long begin = System.nanoTime();
        int whole;
        long heldBytes;
        List<Wanted> missing;
        try {
            PartObjects all = PartObjects.of(source.load(), part, lines.places());
            whole = all.count();
            missing = all.missing(lines.sink());
            heldBytes = all.bytes() - PartObjects.bytes(missing);
        } catch (IOException e) {
            answer.ifPresent(PlanAnswer::drop);
            String reason = "could not read plan " + digest + ": " + Events.reason(e);
            return new PullReport(
                    digest, part, started, begin, Duration.ZERO, 0, 0, List.of(), 0, 0, 1, List.of(reason));
        }
        WantedObjects all = new WantedObjects(missing, lines.claims(), lines.sink());
        wanted = all;
        fetch(all, answer);
        missing.stream()
                .flatMap(object -> object.target().stream())
                .map(PackTarget::pack)
                .distinct()
                .forEach(lines.prefault()::settle);
        int lost = missing.size() - all.held();
        return new PullReport(
                digest,
                part,
                started,
                begin,
                Duration.ofNanos(System.nanoTime() - begin),
                whole - missing.size(),
                heldBytes,
                counts.reports(begin),
                wireBytes.get() + answer.map(PlanAnswer::received).orElse(0L),
                requests.get(),
                lost,
                lost == 0 ? List.of() : failures.reasons());
    }

    private void fetch(WantedObjects all, Optional<PlanAnswer> answer) {
        @Nullable FirstAnswer first = answer.map(a -> a.first(all)).orElse(null);
        List<PullWorker> workers = new ArrayList<>(List.of(new PullWorker(this, lines, all, first)));
        int most = background ? 1 : Math.min(lines.config().lanes(), all.count());
        while (workers.size() < most) {
            workers.add(new PullWorker(this, lines, all, null));
        }
        // A worker decompresses and hashes large objects itself: as a virtual thread it would keep containerd's calls
        // waiting for its carrier.
        List<Thread> threads = workers.stream()
                .map(Thread.ofPlatform().daemon().name("pull-", 0)::unstarted)
                .toList();
        threads.forEach(Thread::start);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            abort("the node is shutting down");
            Thread.currentThread().interrupt();
        }
    }

    /** Requests what is missing of objects. */
    ObjectStream open(List<Wanted> objects) throws IOException {
        List<IndexRange> missing = IndexRanges.joined(objects.stream()
                .flatMap(wanted -> wanted.missing().stream())
                .sorted(Comparator.comparingInt(IndexRange::from))
                .toList());
        return open(objects, IndexRanges.atMost(BundleRequest.MAX_RANGES, missing), 0);
    }

    /** Requests the rest of an object's stored form: from the frame on that has {@code offset}, or from there on. */
    private ObjectStream open(Wanted object, long offset) throws IOException {
        int frame = object.frameAt(offset);
        IndexRange rest =
                new IndexRange(object.numbers().from() + frame, object.numbers().to());
        return open(List.of(object), List.of(rest), object.frames().isPresent() ? 0 : offset);
    }

    private ObjectStream open(List<Wanted> objects, List<IndexRange> ranges, long offset) throws IOException {
        requests.incrementAndGet();
        InputStream body = lines.link()
                .bundle(BundleRequest.exact(digest, ranges, offset))
                .orElseThrow(this::unknown)
                .body();
        return ObjectStream.of(new BufferedInputStream(slowed(guarded(body, _ -> {}), objects), BUFFER_BYTES));
    }

    /** A proxy without a service behind it, or a service that starts, may answer 404 to everything. */
    private IOException unknown() {
        return lines.link().reachable()
                ? new UnknownPlanException(digest)
                : new IOException("the service is not ready, and does not know plan " + digest);
    }

    /** Continues with an object whose connection was cut, when the service is there again. */
    ObjectStream resume(Wanted object, long offset, IOException cut) throws IOException {
        lines.events()
                .fallback(
                        TOPIC, "resuming object " + object.digest() + " at byte " + offset + ": " + Events.reason(cut));
        IOException failure = cut;
        while (failures.again(failure)) {
            checkAborted();
            try {
                return open(object, offset);
            } catch (UnknownPlanException e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    InputStream guarded(InputStream body, LongConsumer bytesCame) {
        return new GuardedStream(
                body,
                bytes -> {
                    wireBytes.addAndGet(bytes);
                    bytesCame.accept(bytes);
                },
                lines.config().stall(),
                lines.scheduler());
    }

    /** Of an object. */
    void bytesCame(long count) {
        failures.bytesCame(count);
    }

    private InputStream slowed(InputStream in, List<Wanted> objects) {
        BooleanSupplier awaited =
                () -> objects.stream().anyMatch(object -> lines.claims().isAwaited(object.digest()));
        return background
                ? new BackgroundStream(
                        in, lines.foreground(), awaited, lines.config().backgroundRate())
                : in;
    }

    boolean isAborted() {
        WantedObjects all = wanted;
        return all != null && all.aborted() != null;
    }

    /** A chunk came to its end. */
    void succeeded() {
        failures.reset();
    }

    /** A chunk did not come; waits before the next attempt, or gives the rest up. */
    void cut(IOException e) {
        WantedObjects all = wanted;
        if (all == null || all.aborted() != null) {
            return;
        }
        if (e instanceof ServiceBusyException
                && failures.awaitBudget(lines.link().budget())) {
            return;
        }
        String reason = Events.reason(e);
        String what = "a stream of plan " + digest + " ended early, " + (all.count() - all.held()) + " objects remain";
        forgotten |= e instanceof UnknownPlanException;
        if (forgotten || !failures.again(e)) {
            failures.add(reason);
            all.loseQueued();
            lines.events().fallback(TOPIC, what + " and are abandoned: " + reason);
        } else if (!failures.isRepeated()) {
            lines.events().fallback(TOPIC, what + ": " + reason);
        }
    }

    void countStored(Wanted object, long stored) {
        counts.stored(object.object().segment(), stored);
        failures.reset();
    }

    /** Whether the service does not know the plan any more. */
    boolean isForgotten() {
        return forgotten;
    }

    void countPublished(Wanted object) {
        counts.published(object.object().segment());
    }

    void abort(String reason) {
        WantedObjects all = wanted;
        if (all != null && all.aborted() == null) {
            failures.add(reason);
            all.abort(reason);
        }
    }

    void checkAborted() throws IOException {
        WantedObjects all = wanted;
        @Nullable String reason = all == null ? null : all.aborted();
        if (reason != null) {
            throw new IOException(reason);
        }
    }

    void failed(String reason) {
        failures.add(reason);
    }
}
