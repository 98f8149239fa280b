package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Objects that somebody waits for now, because a container opened a file whose content is not here: the gate asks. What a
 * pull has under way is waited for; everything else is asked for at once, ahead of what pulls have queued. Thread-safe;
 * the caller waits.
 */
public final class Demand {
    private final PullLines lines;
    private final LongAdder waited = new LongAdder();
    private final LongAdder fetched = new LongAdder();
    private final AtomicLong nanos = new AtomicLong();
    private final LongAdder fetchedBytes = new LongAdder();
    private volatile LongConsumer waits = nanos -> {};
    private volatile Listener listener = demanded -> {};
    private volatile Supplier<Tier> placement = () -> Tier.CAPACITY;

    Demand(PullLines lines) {
        this.lines = lines;
    }

    /** Told of every object that somebody had to wait for. */
    @FunctionalInterface
    public interface Listener {
        /** Called on the thread that waited; returns at once. */
        void demanded(Demanded demanded);
    }

    /**
     * An object that somebody waited for until it was there.
     *
     * @param object which
     * @param askedNanos when it was asked for, by the monotonic clock
     * @param hereNanos when it was there
     * @param fetched whether it was fetched for this; else a pull, or somebody else, had it on its way
     * @param wireBytes that came for it
     */
    public record Demanded(Digest object, long askedNanos, long hereNanos, boolean fetched, long wireBytes) {}

    /** How an object came. */
    public enum Way {
        /** It was there. */
        HELD,
        /** A pull, or somebody else, had it on its way. */
        AWAITED,
        /** Nobody had it on its way: it was fetched for this. */
        FETCHED
    }

    /**
     * What has been asked for so far.
     *
     * @param waited look-ups that waited for a pull
     * @param fetched objects fetched for look-ups
     * @param bytes that came for these, compressed
     * @param millis that look-ups have waited, all together
     */
    public record Counts(long waited, long fetched, long bytes, long millis) {}

    /** The counts. */
    public Counts counts() {
        return new Counts(waited.sum(), fetched.sum(), fetchedBytes.sum(), TimeUnit.NANOSECONDS.toMillis(nanos.get()));
    }

    /** Sets who is told of fetches. */
    public void listen(Listener told) {
        listener = told;
    }

    /** Sets who is told of each look-up's nanoseconds, when it is over. */
    public void measure(LongConsumer told) {
        waits = told;
    }

    /** Sets where objects that are fetched from now on are to lie; asked for each. */
    public void place(Supplier<Tier> tier) {
        placement = tier;
    }

    /**
     * Returns when the object is held, and how that came to be, or when one attempt to get it has failed.
     *
     * @param alive run now and then while it goes on and bytes come
     * @throws IOException why it failed; another attempt may succeed
     */
    public Way fetch(Digest digest, Runnable alive) throws IOException {
        long begin = System.nanoTime();
        boolean hasWaited = false;
        try (Foreground.Work _ = lines.foreground().begin()) {
            while (!lines.sink().holds(digest)) {
                Optional<CompletableFuture<Boolean>> other = lines.claims().claim(digest);
                if (other.isEmpty()) {
                    long bytes = fetchClaimed(digest, alive);
                    listener.demanded(new Demanded(digest, begin, System.nanoTime(), true, bytes));
                    return Way.FETCHED;
                }
                waited.increment();
                await(other.get(), alive);
                hasWaited = true;
            }
            if (hasWaited) {
                listener.demanded(new Demanded(digest, begin, System.nanoTime(), false, 0));
            }
            return hasWaited ? Way.AWAITED : Way.HELD;
        } finally {
            long took = System.nanoTime() - begin;
            nanos.addAndGet(took);
            waits.accept(took);
        }
    }

    /** Answers the bytes that came. */
    private long fetchClaimed(Digest digest, Runnable alive) throws IOException {
        boolean held = false;
        AtomicLong bytes = new AtomicLong();
        try {
            if (!lines.sink().holds(digest)) {
                awaitBudget(alive);
                lines.singles().fetch(digest, in -> guarded(in, alive, bytes), placement.get());
                fetched.increment();
            }
            held = true;
            return bytes.get();
        } finally {
            lines.claims().end(digest, held);
        }
    }

    /** The registry may have asked for a pause; the caller hears that it is only that. */
    private void awaitBudget(Runnable alive) throws IOException {
        try {
            while (!lines.link().budget().await(lines.config().heartbeat())) {
                alive.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the registry wanted no requests", e);
        }
    }

    private InputStream guarded(InputStream in, Runnable alive, AtomicLong counter) {
        return new GuardedStream(
                in,
                count -> {
                    fetchedBytes.add(count);
                    counter.addAndGet(count);
                    lines.bytesCame();
                    alive.run();
                },
                lines.config().stall(),
                lines.scheduler());
    }

    /** Waits for the end of another's claim; when it was given up, the object is this caller's to fetch. */
    private void await(CompletableFuture<Boolean> other, Runnable alive) throws IOException {
        long seen = lines.lastByte().get();
        while (true) {
            try {
                other.get(lines.config().heartbeat().toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                long last = lines.lastByte().get();
                if (last != seen) {
                    seen = last;
                    alive.run();
                }
            } catch (ExecutionException e) {
                throw new IOException("a bug ended the fetch: " + Events.reason(e), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while an object was on its way", e);
            }
        }
    }
}
