package io.faasimage.store.pack;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.ReadGuard;
import io.faasimage.linux.ReadGuard.Question;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's reads of packs that are not complete: one of frames that are there goes on at once, another waits until
 * they are, and fails when they cannot be had. One thread answers; it brings nothing itself. Thread-safe.
 */
final class WaitingReads implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WaitingReads.class.getName());
    private static final int TIMEOUT_MILLIS = 250;
    private static final long OWN_PID = ProcessHandle.current().pid();

    private final ReadGuard guard;
    private final NotedReads noted;
    private final List<Question> left;
    private final Map<Long, Pack> guarded = new ConcurrentHashMap<>();
    /** Guarded by itself. */
    private final Map<Pack, List<Waiting>> waiting = new HashMap<>();

    private volatile boolean someWait;
    private final LongAdder waited = new LongAdder();
    private final CompletableFuture<MissingFrames> missing = new CompletableFuture<>();
    private final boolean allowsOwn;
    private final Thread thread;
    private volatile boolean closed;

    private record Waiting(Question question, IndexRange frames) {}

    /**
     * Reads of a group.
     *
     * @param earlier the group of an earlier process, which another has kept; empty for a new one
     * @param notes file of the reads that wait
     */
    WaitingReads(Optional<ReadGuard> earlier, Path notes) throws IOException {
        noted = new NotedReads(notes);
        guard = earlier.isPresent() ? earlier.get() : ReadGuard.open();
        List<Question> notedBefore = noted.take();
        left = earlier.isPresent() ? notedBefore : List.of();
        // This process opens files that are guarded already.
        allowsOwn = earlier.isPresent();
        thread = Thread.ofPlatform().daemon().name("pack-reads").start(this::run);
    }

    /** The descriptor of the group, which another process may keep. */
    int descriptor() {
        return guard.descriptor();
    }

    /** Begins to answer; until then, reads of guarded packs wait. */
    void serve(MissingFrames bringer) {
        missing.complete(bringer);
    }

    /** Guards a pack, before it is mounted or again. */
    void guard(Pack pack) throws LinuxException {
        boolean isNew = guarded.put(pack.inode(), pack) == null;
        try {
            guard.guard(pack.data());
        } catch (LinuxException e) {
            if (isNew) {
                guarded.remove(pack.inode());
            }
            throw e;
        }
    }

    /** Reads of a complete pack cost nothing any more. */
    void release(Pack pack) throws LinuxException {
        // A read that was asked about meanwhile goes on.
        if (guarded.remove(pack.inode()) != null) {
            guard.release(pack.data());
        }
    }

    /** How many reads had to wait so far. */
    long waited() {
        return waited.sum();
    }

    private void run() {
        // Before the first is read, since a new one may have the number of an old one.
        left.forEach(noted::add);
        guard.takeOver(left);
        left.forEach(this::take);
        while (!closed) {
            try {
                guard.read(TIMEOUT_MILLIS).forEach(this::noteAndTake);
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.log(Level.ERROR, "a read of a pack could not be answered", e);
                }
            }
        }
    }

    private void noteAndTake(Question question) {
        try {
            noted.add(question);
        } catch (RuntimeException | Error e) {
            failed(question, e);
            return;
        }
        take(question);
    }

    private void take(Question question) {
        if (allowsOwn && question.pid() == OWN_PID) {
            allow(question);
        } else {
            var _ = missing.thenAccept(bringer -> answer(question, bringer));
        }
    }

    /** Whatever happens here must not cost the answer: the reader would wait for ever. */
    private void answer(Question question, MissingFrames bringer) {
        try {
            answerOrWait(question, bringer);
        } catch (RuntimeException | Error e) {
            failed(question, e);
        }
    }

    private void failed(Question question, Throwable reason) {
        LOG.log(Level.ERROR, "a reader gets an input/output error", reason);
        fail(question);
    }

    private void answerOrWait(Question question, MissingFrames bringer) {
        @Nullable Pack pack = guarded.get(question.inode());
        if (pack == null) {
            allow(question);
            return;
        }
        long end = question.count() > Long.MAX_VALUE - question.offset()
                ? Long.MAX_VALUE
                : question.offset() + question.count();
        IndexRange frames = pack.layout().framesBetween(question.offset(), end);
        if (pack.has(frames)) {
            allow(question);
            return;
        }
        waited.increment();
        Waiting mine = new Waiting(question, frames);
        synchronized (waiting) {
            waiting.computeIfAbsent(pack, _ -> new ArrayList<>()).add(mine);
            someWait = true;
        }
        // A frame that came before this one waited.
        came(pack);
        var _ = begun(pack, frames, bringer).whenComplete((_, failure) -> ended(pack, mine, bringer, failure));
    }

    /** A bug must not cost the answers to this question and to those that were read with it: they would never come. */
    private static CompletableFuture<Void> begun(Pack pack, IndexRange frames, MissingFrames bringer) {
        try {
            return bringer.bring(pack, frames);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A frame has come. */
    void came(Pack pack) {
        if (!someWait) {
            return;
        }
        List<Waiting> ready = new ArrayList<>();
        synchronized (waiting) {
            List<Waiting> here = waiting.getOrDefault(pack, List.of());
            here.stream().filter(one -> pack.has(one.frames())).forEach(ready::add);
            ready.forEach(one -> forget(pack, one));
        }
        ready.forEach(one -> allow(one.question()));
    }

    private boolean forget(Pack pack, Waiting one) {
        List<Waiting> here = waiting.getOrDefault(pack, List.of());
        boolean removed = !here.isEmpty() && here.remove(one);
        if (removed && here.isEmpty()) {
            waiting.remove(pack);
            someWait = !waiting.isEmpty();
        }
        return removed;
    }

    private void ended(Pack pack, Waiting one, MissingFrames bringer, @Nullable Throwable failure) {
        boolean waits;
        synchronized (waiting) {
            waits = forget(pack, one);
        }
        if (!waits) {
            return;
        }
        if (pack.has(one.frames())) {
            allow(one.question());
        } else if (failure == null) {
            // They came, and were dropped at once.
            answer(one.question(), bringer);
        } else {
            LOG.log(
                    Level.WARNING,
                    "a reader gets an input/output error: frames of " + pack.directory() + " are missing",
                    failure);
            fail(one.question());
        }
    }

    private void allow(Question question) {
        noted.remove(question);
        try {
            guard.allow(question);
        } catch (LinuxException e) {
            LOG.log(Level.ERROR, "a read of a pack was not answered", e);
        }
    }

    private void fail(Question question) {
        if (closed) {
            // It stays noted for the next process, which can bring what this one could not any more.
            return;
        }
        noted.remove(question);
        try {
            guard.fail(question);
        } catch (LinuxException e) {
            LOG.log(Level.ERROR, "a read of a pack was not answered", e);
        }
    }

    /** Takes no more questions: those that the kernel has, and those without an answer, wait for the next process. */
    void stop() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Reads that wait go on waiting for the next process when another keeps the group; else they fail where frames are
     * missing.
     */
    @Override
    public void close() {
        stop();
        guard.close();
    }
}
