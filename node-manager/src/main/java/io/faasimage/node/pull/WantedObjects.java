package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.pull.Claims.Claim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The queue of objects that one pull still needs, in rank order: workers take chunks from its head and report the
 * outcome of every object. An object that another pull or look-up is fetching is left to it, and taken up again when
 * they fail. Thread-safe; no input or output happens under the lock, except for the check whether an object is present.
 */
final class WantedObjects {
    private static final Executor WAITERS =
            task -> Thread.ofVirtual().name("claim-ended").start(task);

    private final Claims claims;
    private final ObjectSink sink;
    private final List<Wanted> objects;
    private final Map<Digest, Wanted> byDigest;
    /** Positions that a worker may take. */
    private final BitSet queued = new BitSet();
    /** Positions that came damaged: each is requested by itself. */
    private final BitSet refused = new BitSet();

    /** Positions for which an answer failed again and again: each is requested by itself, after all others. */
    private final BitSet later = new BitSet();

    private final int[] refusals;
    /** Positions whose fate is not known yet. */
    private final BitSet open = new BitSet();

    private int held;
    private @Nullable String aborted;

    /**
     * One object that a pull wants, or some of its frames.
     *
     * @param position in the pull, from 0
     * @param numbers of the object in its plan: of all of its frames, or its own
     * @param object its digest and size
     * @param frames in which it comes; empty for an object beyond the prefetch list
     * @param target where its frames go; empty for an object that becomes a file of the store
     */
    record Wanted(
            int position,
            IndexRange numbers,
            PlanObject object,
            Optional<ObjectFrames> frames,
            Optional<PackTarget> target) {
        Digest digest() {
            return object.digest();
        }

        /** Whether some of it is in this range of the plan's numbers. */
        boolean isIn(IndexRange range) {
            return range.from() < numbers.to() && numbers.from() < range.to();
        }

        /** The frame with the byte at {@code offset} of the stored form; 0 for an object beyond the prefetch list. */
        int frameAt(long offset) {
            int from = 0;
            int to = frames.map(ObjectFrames::count).orElse(1) - 1;
            while (from < to) {
                int middle = (from + to) / 2;
                if (frames.get().end(middle) <= offset) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from;
        }

        /** The frames that are to be requested, by the plan's numbers. */
        List<IndexRange> missing() {
            return target.map(place -> place.missing().stream()
                            .map(range -> new IndexRange(numbers.from() + range.from(), numbers.from() + range.to()))
                            .toList())
                    .orElse(List.of(numbers));
        }

        /** Content that is wanted, bytes. */
        long bytes() {
            return target.map(PackTarget::bytes).orElse(object.size());
        }
    }

    /**
     * The objects that a worker fetches with one request.
     *
     * @param objects in rank order; empty when the pull is over
     * @param single whether it is to be requested by itself, because it failed in a stream
     */
    record Chunk(List<Wanted> objects, boolean single) {
        Chunk {
            objects = List.copyOf(objects);
        }

        boolean isEnd() {
            return objects.isEmpty();
        }
    }

    WantedObjects(List<Wanted> objects, Claims claims, ObjectSink sink) {
        this.objects = List.copyOf(objects);
        this.claims = claims;
        this.sink = sink;
        this.byDigest = HashMap.newHashMap(objects.size());
        this.objects.forEach(wanted -> byDigest.put(wanted.digest(), wanted));
        this.refusals = new int[objects.size()];
        queued.set(0, objects.size());
        open.set(0, objects.size());
    }

    /** The wanted object with this digest; empty when this pull does not want it. */
    Optional<Wanted> find(Digest digest) {
        return Optional.ofNullable(byDigest.get(digest));
    }

    /** The wanted objects in these ranges of the plan's numbers. */
    List<Wanted> among(List<IndexRange> ranges) {
        return objects.stream()
                .filter(wanted -> ranges.stream().anyMatch(range -> wanted.isIn(range)))
                .toList();
    }

    int count() {
        return objects.size();
    }

    synchronized int held() {
        return held;
    }

    /**
     * The next objects for a worker, at least one and not many more than {@code bytes} raw bytes; waits while all that
     * are left are being fetched, for a failed one comes back. Without objects when the pull is over.
     */
    synchronized Chunk next(long bytes, Progress progress) throws InterruptedException {
        while (aborted == null && !open.isEmpty()) {
            BitSet singly = refused.isEmpty() && queued.isEmpty() ? later : refused;
            int single = singly.nextSetBit(0);
            if (single >= 0) {
                singly.clear(single);
                if (claimed(objects.get(single), progress)) {
                    return new Chunk(List.of(objects.get(single)), true);
                }
                continue;
            }
            List<Wanted> chunk = claimUpTo(bytes, progress);
            if (!chunk.isEmpty()) {
                return new Chunk(chunk, false);
            }
            if (!open.isEmpty() && queued.isEmpty() && refused.isEmpty() && later.isEmpty()) {
                wait();
            }
        }
        return new Chunk(List.of(), false);
    }

    private List<Wanted> claimUpTo(long bytes, Progress progress) {
        List<Wanted> chunk = new ArrayList<>();
        long size = 0;
        for (int at = queued.nextSetBit(0); at >= 0 && size < bytes; at = queued.nextSetBit(at + 1)) {
            queued.clear(at);
            Wanted wanted = objects.get(at);
            if (claimed(wanted, progress)) {
                chunk.add(wanted);
                size += wanted.bytes();
            }
        }
        return chunk;
    }

    /** Claims the objects that an answer under way already brings, except those that others fetch. */
    synchronized List<Wanted> claim(List<Wanted> coming, Progress progress) {
        List<Wanted> mine = new ArrayList<>();
        for (Wanted wanted : coming) {
            if (queued.get(wanted.position())) {
                queued.clear(wanted.position());
                if (claimed(wanted, progress)) {
                    mine.add(wanted);
                }
            }
        }
        return mine;
    }

    private boolean claimed(Wanted wanted, Progress progress) {
        Optional<Claim> other = claims.claim(wanted.digest(), progress);
        if (other.isPresent()) {
            // Never on the thread that ends the claim: it may hold the lock of another pull.
            var _ = other.get().end().thenAcceptAsync(isHeld -> ended(wanted, isHeld), WAITERS);
            return false;
        }
        if (sink.holds(wanted)) {
            claims.end(wanted.digest(), true);
            settle(wanted, true);
            return false;
        }
        return true;
    }

    private synchronized void ended(Wanted wanted, boolean isHeld) {
        if (isHeld && sink.holds(wanted)) {
            settle(wanted, true);
        } else if (open.get(wanted.position())) {
            // An object that came damaged is not requested in a stream again.
            (refusals[wanted.position()] > 0 ? refused : queued).set(wanted.position());
            notifyAll();
        }
    }

    /** The object is published. */
    void held(Wanted wanted) {
        claims.end(wanted.digest(), true);
        synchronized (this) {
            settle(wanted, true);
        }
    }

    /** These objects were not fetched this time, and will be requested again. */
    void back(List<Wanted> unfetched) {
        unfetched.forEach(wanted -> claims.end(wanted.digest(), false));
        synchronized (this) {
            unfetched.forEach(wanted -> queued.set(wanted.position()));
            notifyAll();
        }
    }

    /** The object came damaged, or did not come by itself. Returns how often that has happened. */
    synchronized int countRefusal(Wanted wanted) {
        return ++refusals[wanted.position()];
    }

    /** The object is to be requested by itself. */
    void again(Wanted wanted) {
        claims.end(wanted.digest(), false);
        synchronized (this) {
            refused.set(wanted.position());
            notifyAll();
        }
    }

    /** The object is to be requested by itself when nothing else is left. */
    void later(Wanted wanted) {
        claims.end(wanted.digest(), false);
        synchronized (this) {
            later.set(wanted.position());
            notifyAll();
        }
    }

    /** The object cannot be fetched. */
    void lost(Wanted wanted) {
        claims.end(wanted.digest(), false);
        synchronized (this) {
            settle(wanted, false);
        }
    }

    /** No object can be fetched any more, except those under way. */
    synchronized void loseQueued() {
        open.andNot(queued);
        open.andNot(refused);
        open.andNot(later);
        queued.clear();
        refused.clear();
        later.clear();
        notifyAll();
    }

    /** Nothing more may be fetched. The first reason stays. */
    synchronized void abort(String reason) {
        if (aborted == null) {
            aborted = reason;
        }
        notifyAll();
    }

    /** Why nothing more may be fetched; null in the normal course. */
    synchronized @Nullable String aborted() {
        return aborted;
    }

    private void settle(Wanted wanted, boolean isHeld) {
        if (open.get(wanted.position())) {
            open.clear(wanted.position());
            queued.clear(wanted.position());
            refused.clear(wanted.position());
            later.clear(wanted.position());
            if (isHeld) {
                held++;
            }
            if (open.isEmpty()) {
                notifyAll();
            }
        }
    }
}
