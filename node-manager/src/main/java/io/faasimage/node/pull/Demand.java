package io.faasimage.node.pull;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceDownException;
import io.faasimage.node.pull.Claims.Claim;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * On-demand fetches: the gate requests an object when a container opens a file whose content is not in the store. An
 * object that a pull is fetching is waited for; any other is requested at once, ahead of the queues of pulls. A few are
 * fetched at a time; the others wait for their turn, each a thread and no buffer. Thread-safe; the caller waits.
 */
public final class Demand {
    /** With the pauses between them, some fifteen seconds: a cause of damaged answers on the way may pass. */
    private static final int MOST_DAMAGED = 8;
    /** A service that starts again is faster than a layer; one that is away for longer may be gone for good. */
    private static final Duration SERVICE_ALONE = Duration.ofSeconds(2);
    /** Between two looks for progress. */
    private static final Duration LOOK = Duration.ofMillis(500);
    /** In any case; a reading that stands still ends by itself. */
    private static final Duration MOST_LAYERS = Duration.ofHours(1);
    /** Remembered for the records of starts. */
    private static final int MOST_RECENT = 16_384;

    private final PullLines lines;
    private final LongAdder waited = new LongAdder();
    private final LongAdder fetched = new LongAdder();
    private final LongAdder byLayers = new LongAdder();
    private final AtomicLong nanos = new AtomicLong();
    private final LongAdder fetchedBytes = new LongAdder();
    private final PullListener listener;
    /** The newest, oldest first; guarded by itself. */
    private final Deque<Demanded> recent = new ArrayDeque<>();

    private final Semaphore turns;
    /** Of all look-ups together. */
    private final Progress all = new Progress();

    private volatile LayerSource layers = LayerSource.NONE;

    Demand(PullLines lines, PullListener listener) {
        this.lines = lines;
        this.listener = listener;
        this.turns = new Semaphore(lines.config().lookups(), true);
    }

    /** Brings objects by {@code source} when the service does not. */
    void fallBackOn(LayerSource source) {
        layers = source;
    }

    /** How long a look-up waits while nothing comes. */
    public Duration limit() {
        return lines.config().lookupLimit();
    }

    /**
     * An object that a look-up waited for.
     *
     * @param object which
     * @param askedNanos when it was requested, by the monotonic clock
     * @param hereNanos when it was there
     * @param fetched whether this look-up fetched it; else a pull or another look-up did
     * @param wireBytes that came for it
     */
    public record Demanded(Digest object, long askedNanos, long hereNanos, boolean fetched, long wireBytes) {}

    /**
     * The requests so far.
     *
     * @param waited look-ups that waited for a pull
     * @param fetched objects fetched for look-ups
     * @param layers look-ups that the layers of an image answered
     * @param bytes that came for the fetched ones, compressed
     * @param millis that look-ups have waited, all together
     */
    public record Counts(long waited, long fetched, long layers, long bytes, long millis) {}

    /** The counts. */
    public Counts counts() {
        return new Counts(
                waited.sum(),
                fetched.sum(),
                byLayers.sum(),
                fetchedBytes.sum(),
                TimeUnit.NANOSECONDS.toMillis(nanos.get()));
    }

    private void remember(Demanded demanded) {
        synchronized (recent) {
            if (recent.size() == MOST_RECENT) {
                recent.removeFirst();
            }
            recent.addLast(demanded);
        }
    }

    /** The objects that look-ups waited for and that came at or after a time of the monotonic clock, oldest first. */
    public List<Demanded> since(long nanos) {
        synchronized (recent) {
            return recent.stream()
                    .filter(demanded -> demanded.hereNanos() - nanos >= 0)
                    .toList();
        }
    }

    /** Something that a reader waits for. */
    interface Needed {
        /** The object that it is of. */
        Digest object();

        /** Whether it is here. */
        boolean isHere();

        /** Whether only a file will do. */
        boolean isFile();

        /**
         * Fetches it with one request.
         *
         * @param guard put around the network's stream
         */
        void fetch(UnaryOperator<InputStream> guard) throws IOException;
    }

    /** A whole object, as a file of the store. */
    private record NeededFile(Digest object, PullLines lines) implements Needed {
        @Override
        public boolean isHere() {
            return lines.sink().holds(object);
        }

        @Override
        public boolean isFile() {
            return true;
        }

        @Override
        public void fetch(UnaryOperator<InputStream> guard) throws IOException {
            lines.singles().fetch(object, guard);
        }
    }

    /**
     * Fetches an object, unless it is in the store as a file. Retries until no byte has arrived for {@link #limit()},
     * so that a restart of the service is waited for.
     *
     * @param alive run every heartbeat while it continues, by another thread
     * @throws IOException when it cannot be fetched, with the reason
     */
    public void fetch(Digest digest, Runnable alive) throws IOException {
        fetch(new NeededFile(digest, lines), alive);
    }

    /** As {@link #fetch(Digest, Runnable)}, for whatever a reader waits for. */
    void fetch(Needed needed, Runnable alive) throws IOException {
        Attempts service = new Attempts(needed);
        long heartbeat = lines.config().heartbeat().toMillis();
        ScheduledFuture<?> beats =
                lines.scheduler().scheduleWithFixedDelay(alive, heartbeat, heartbeat, TimeUnit.MILLISECONDS);
        Thread.ofVirtual().name("demand").start(service);
        try (Foreground.Work _ = lines.foreground().begin()) {
            await(service);
        } finally {
            service.isOver = true;
            beats.cancel(false);
            long took = System.nanoTime() - service.begin;
            nanos.addAndGet(took);
            listener.waited(took);
        }
    }

    /** Until the service has sent it, or the layers of its image have, which are read when nothing comes. */
    private void await(Attempts service) throws IOException {
        Duration left = SERVICE_ALONE;
        while (!service.end.isDone() && left.isPositive()) {
            isThere(service.end, left);
            left = SERVICE_ALONE.minusNanos(System.nanoTime() - service.moved());
        }
        Needed needed = service.needed;
        if (isThere(service.end, Duration.ZERO) || needed.isHere()) {
            return;
        }
        boolean isDiskFull = service.last instanceof StoreException e && e.kind() == StoreException.Kind.FULL;
        CompletableFuture<Void> layer = isDiskFull
                ? CompletableFuture.failedFuture(new IOException("not read, as the disk is full"))
                : layers.bring(needed.object(), needed.isFile());
        // It may be here though the layers failed: not everywhere it has a place.
        isThere(firstOf(service.end, layer.handle((_, _) -> null)), MOST_LAYERS);
        if (!needed.isHere() && !isThere(service.end, MOST_LAYERS)) {
            throw new IOException(reason(service.end) + "; the layers of its image: " + reason(layer));
        }
        if (service.end.state() != Future.State.SUCCESS) {
            byLayers.add(layer.state() == Future.State.SUCCESS ? 1 : 0);
            remember(new Demanded(needed.object(), service.begin, System.nanoTime(), true, 0));
        }
    }

    /** Whether it completes in time, and well. */
    private static boolean isThere(CompletableFuture<Void> end, Duration limit) throws IOException {
        try {
            end.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while an object was being fetched", e);
        }
    }

    /** Completes with the first success, or with the last failure. */
    private static CompletableFuture<Void> firstOf(CompletableFuture<Void> one, CompletableFuture<Void> other) {
        CompletableFuture<Void> first = new CompletableFuture<>();
        var _ = one.thenAccept(first::complete);
        var _ = other.thenAccept(first::complete);
        var _ = CompletableFuture.allOf(one, other).exceptionally(failure -> {
            first.completeExceptionally(failure);
            return null;
        });
        return first;
    }

    private static String reason(CompletableFuture<Void> end) {
        return end.state() == Future.State.FAILED ? Events.reason(end.exceptionNow()) : "it takes too long";
    }

    /**
     * The attempts of one look-up to get something from the service, on a thread of their own: a stream may stall. They
     * are never interrupted, which would close the file that is being written.
     */
    private final class Attempts implements Runnable {
        private final Needed needed;
        private final long begin = System.nanoTime();
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final Patience patience;
        private final Progress progress;
        private volatile @Nullable IOException last;
        private volatile boolean isOver;

        Attempts(Needed needed) {
            this.needed = needed;
            Duration heartbeat = lines.config().heartbeat();
            this.patience =
                    new Patience(lines.config().lookupLimit(), heartbeat.compareTo(LOOK) < 0 ? heartbeat : LOOK);
            this.progress = new Progress(patience.last());
        }

        /** When something came for it last. */
        long moved() {
            long own = progress.last();
            return own - patience.last() > 0 ? own : patience.last();
        }

        @Override
        public void run() {
            try {
                fetch();
                end.complete(null);
            } catch (IOException | RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        }

        private void fetch() throws IOException {
            Backoff backoff = lines.config().pauses();
            Refusals refusals = new Refusals();
            for (int attempt = 1; ; attempt++) {
                try {
                    Demand.this.fetch(needed, begin, patience, progress);
                    return;
                } catch (IOException e) {
                    last = e;
                    if (refusals.isFinal(e) || patience.isOver() || isOver) {
                        throw new IOException(Events.reason(e) + " (" + attempt + " attempts)", e);
                    }
                    patience.sleep(pause(backoff.next(), e));
                }
            }
        }
    }

    private static Duration pause(Duration own, IOException failure) {
        Duration wanted =
                failure instanceof ServiceDownException e ? e.retryAfter().orElse(own) : own;
        return wanted.compareTo(own) > 0 ? wanted : own;
    }

    /** The service's answers by which one object cannot be fetched; for one look-up. */
    private final class Refusals {
        private int damaged;
        private int unknown;

        /** A service that starts, or a proxy without one behind it, may answer 404 to everything. */
        boolean isFinal(IOException failure) {
            return switch (failure) {
                case CorruptObjectException _ -> ++damaged >= MOST_DAMAGED;
                case UnknownObjectException _ -> lines.link().reachable() && ++unknown > 1;
                default -> false;
            };
        }
    }

    private void fetch(Needed needed, long begin, Patience patience, Progress progress) throws IOException {
        Digest digest = needed.object();
        boolean hasWaited = false;
        while (!needed.isHere()) {
            Optional<Claim> other = lines.claims().find(digest);
            if (other.isPresent()) {
                waited.increment();
                await(other.get(), patience);
                hasWaited = true;
                continue;
            }
            if (!patience.await(nanos -> turns.tryAcquire(nanos, TimeUnit.NANOSECONDS), all::last)) {
                throw new IOException("too many look-ups wait, and nothing arrives for any of them");
            }
            try {
                if (lines.claims().claim(digest, progress).isEmpty()) {
                    long bytes = fetchClaimed(needed, patience, progress);
                    remember(new Demanded(digest, begin, System.nanoTime(), true, bytes));
                    return;
                }
            } finally {
                turns.release();
                patience.progressed(progress.last());
            }
        }
        if (hasWaited) {
            remember(new Demanded(digest, begin, System.nanoTime(), false, 0));
        }
    }

    /** Returns the bytes that came. */
    private long fetchClaimed(Needed needed, Patience patience, Progress progress) throws IOException {
        boolean held = false;
        AtomicLong bytes = new AtomicLong();
        try {
            if (!needed.isHere()) {
                awaitBudget(patience);
                needed.fetch(in -> guarded(in, progress, bytes));
                fetched.increment();
            }
            held = true;
            return bytes.get();
        } finally {
            lines.claims().end(needed.object(), held);
        }
    }

    /** A service that requests a pause is there: the pause costs no patience. */
    private void awaitBudget(Patience patience) throws IOException {
        if (lines.link().budget().left().isPresent()) {
            patience.await(nanos -> lines.link().budget().await(Duration.ofNanos(nanos)), System::nanoTime);
        }
    }

    private InputStream guarded(InputStream in, Progress progress, AtomicLong counter) {
        return new GuardedStream(
                in,
                count -> {
                    fetchedBytes.add(count);
                    if (progress.cameTo(counter.addAndGet(count))) {
                        all.bytesCame();
                    }
                },
                lines.config().stall(),
                lines.scheduler());
    }

    /** Waits for the end of another's claim; when it was given up, the object is this caller's to fetch. */
    private static void await(Claim other, Patience patience) throws IOException {
        boolean ended = patience.await(nanos -> isOver(other.end(), nanos), other.progress()::last);
        if (!ended) {
            throw new IOException("it is being fetched with other objects, and nothing arrives");
        }
    }

    private static boolean isOver(CompletableFuture<Boolean> end, long nanos) throws IOException, InterruptedException {
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("a bug ended the fetch: " + Events.reason(e), e);
        }
    }
}
