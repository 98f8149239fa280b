package io.faasimage.node.pull;

import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Frame.FramesFrame;
import io.faasimage.format.bundle.Frame.ObjectFrame;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceDownException;
import io.faasimage.node.pull.WantedObjects.Chunk;
import io.faasimage.node.pull.WantedObjects.Wanted;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a pull, which fetches chunks one after the other, each with one request, until the pull is over. It runs
 * on one thread; small objects are published by the workers of the sink, large ones by this thread at the pace of the
 * network.
 */
final class PullWorker implements Runnable {
    private static final String TOPIC = "pull";

    private final PullRun run;
    private final PullLines lines;
    private final WantedObjects wanted;
    private final Progress progress;
    private final FrameWriter writer = new FrameWriter();
    private @Nullable FirstAnswer first;

    /**
     * An answer that is under way already: the one that brought the plan.
     *
     * @param stream its objects
     * @param coming which they are
     * @param progress by which those who wait for them judge
     */
    record FirstAnswer(ObjectStream stream, List<Wanted> coming, Progress progress) {
        FirstAnswer {
            coming = List.copyOf(coming);
        }
    }

    /** Begins with {@code first}, when there is one. */
    PullWorker(PullRun run, PullLines lines, WantedObjects wanted, @Nullable FirstAnswer first) {
        this.run = run;
        this.lines = lines;
        this.wanted = wanted;
        this.first = first;
        this.progress = first == null ? new Progress() : first.progress();
    }

    @Override
    public void run() {
        try {
            FirstAnswer answer = first;
            first = null;
            if (answer != null) {
                fetch(new Chunk(answer.coming(), false), answer.stream());
            }
            for (Chunk chunk = next(); !chunk.isEnd(); chunk = next()) {
                fetch(chunk, null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            run.abort("the node is shutting down");
        } catch (RuntimeException | Error e) {
            lines.events().error(TOPIC, "a bug stopped a stream of plan " + run.plan() + ": " + e);
            run.abort("a bug stopped it: " + e);
        }
    }

    private Chunk next() throws InterruptedException {
        if (run.isBackground()) {
            lines.foreground().awaitCalm(() -> run.isAborted());
        }
        return wanted.next(run.chunks().bytes(), progress);
    }

    private void fetch(Chunk chunk, @Nullable ObjectStream open) throws InterruptedException {
        Set<Wanted> due = new LinkedHashSet<>(chunk.objects());
        try {
            if (chunk.single()) {
                single(chunk.objects().getFirst(), due);
            } else {
                stream(chunk, open, due);
            }
            run.succeeded();
        } catch (IOException e) {
            backAfter(e, chunk, due);
            due.clear();
            run.cut(e);
        } finally {
            // Only when a bug got this far.
            wanted.back(List.copyOf(due));
        }
    }

    /** An answer that fails again and again at one object must not keep the others from coming. */
    private void backAfter(IOException e, Chunk chunk, Set<Wanted> due) {
        List<Wanted> left = new ArrayList<>(due);
        boolean answered = e instanceof GaveUpException || (e instanceof ServiceDownException down && down.answered());
        if (answered && !left.isEmpty() && (chunk.single() || wanted.countRefusal(left.getFirst()) > 1)) {
            wanted.later(left.removeFirst());
        }
        wanted.back(left);
    }

    private void bytesCame(long count) {
        progress.bytesCame();
        run.bytesCame(count);
    }

    private void stream(Chunk chunk, @Nullable ObjectStream open, Set<Wanted> due) throws IOException {
        try (ObjectStream stream = open == null ? run.open(chunk.objects()) : open) {
            long raw = 0;
            long begin = 0;
            for (Optional<Frame> frame = stream.next(); frame.isPresent(); frame = stream.next()) {
                begin = begin == 0 ? System.nanoTime() : begin;
                raw += frame.get() instanceof FramesFrame frames
                        ? take(frames, due)
                        : take((ObjectFrame) frame.get(), due);
                run.checkAborted();
            }
            run.chunks().took(raw, System.nanoTime() - begin);
        }
        for (Wanted left : List.copyOf(due)) {
            due.remove(left);
            refused(left, new IOException("the service left it out"));
        }
    }

    private long take(ObjectFrame frame, Set<Wanted> due) throws IOException {
        Optional<Wanted> object = wanted.find(frame.digest()).filter(due::contains);
        if (object.isEmpty()) {
            return 0;
        }
        Wanted it = object.get();
        if (frame.rawSize() != it.object().size()) {
            due.remove(it);
            refused(it, new IOException("announced with " + frame.rawSize() + " bytes"));
            return 0;
        }
        try (ResumedPayload payload = new ResumedPayload(it, frame, run::resume, this::bytesCame)) {
            if (frame.storedSize() > lines.config().streamedBytes()) {
                publish(it, payload, due);
            } else {
                submit(it, payload, (int) frame.storedSize(), due);
            }
            if (payload.isCut()) {
                throw new IOException(
                        "the connection was cut in the middle of an object, which has arrived over another");
            }
        }
        return it.object().size();
    }

    /** Writes frames into their object's pack; where there are no packs, they are the object's stored form. */
    private long take(FramesFrame frames, Set<Wanted> due) throws IOException {
        Optional<Wanted> object = wanted.find(frames.digest()).filter(due::contains);
        if (object.isEmpty()) {
            return 0;
        }
        Wanted it = object.get();
        if (it.target().isEmpty()) {
            if (!isWhole(it, frames) && wanted.countRefusal(it) == 1) {
                // The answer that brought the plan has only what starts read of it.
                due.remove(it);
                wanted.back(List.of(it));
                return 0;
            }
            return take(
                    new ObjectFrame(it.digest(), it.object().size(), frames.storedSize(), 0, frames.payload()), due);
        }
        try {
            PackTarget target = it.target().get();
            long raw = writer.write(target, frames, this::bytesCame);
            run.countStored(it, frames.storedSize());
            if (target.isPresent()) {
                due.remove(it);
                ended(it, null);
                if (!run.isBackground()) {
                    lines.prefault().read(target);
                }
            }
            return raw;
        } catch (CorruptObjectException | StoreException e) {
            due.remove(it);
            ended(it, e);
            return 0;
        }
    }

    private static boolean isWhole(Wanted object, FramesFrame frames) {
        return frames.first() == 0
                && object.frames()
                        .filter(all -> all.storedSize() == frames.storedSize())
                        .isPresent();
    }

    private void submit(Wanted object, ResumedPayload payload, int length, Set<Wanted> due) throws IOException {
        byte[] stored = lines.sink().buffer(length);
        boolean submitted = false;
        try {
            if (payload.readNBytes(stored, 0, length) < length) {
                throw new IOException("object " + object.object().digest() + " ended early");
            }
            run.countStored(object, length);
            lines.sink().submit(object.object(), stored, length, failure -> ended(object, failure));
            submitted = true;
            due.remove(object);
        } finally {
            if (!submitted) {
                lines.sink().drop(stored, length);
            }
        }
    }

    /** Publishes on this thread; a failure of the network ends the stream, one of the object does not. */
    private void publish(Wanted object, ResumedPayload payload, Set<Wanted> due) throws IOException {
        try {
            lines.sink().publish(object.object(), payload, true);
            due.remove(object);
            run.countStored(object, payload.position());
            ended(object, null);
        } catch (CorruptObjectException | StoreException e) {
            due.remove(object);
            ended(object, e);
        }
    }

    private void ended(Wanted object, @Nullable IOException failure) {
        switch (failure) {
            case null -> {
                run.countPublished(object);
                wanted.held(object);
            }
            case CorruptObjectException e -> refused(object, e);
            case UnknownObjectException e -> refused(object, e);
            case IOException e -> {
                run.abort("could not store objects of plan " + run.plan() + ": " + Events.reason(e));
                wanted.back(List.of(object));
            }
        }
    }

    private void refused(Wanted object, IOException reason) {
        int times = wanted.countRefusal(object);
        String what = "object " + object.digest() + ": " + Events.reason(reason);
        if (times < lines.config().attempts()) {
            lines.events().fallback(TOPIC, "rejected, it will be requested singly: " + what);
            wanted.again(object);
            return;
        }
        String lost = "could not pull in " + times + " attempts: " + what;
        run.failed(lost);
        lines.events().error(TOPIC, lost + "; it will be fetched on demand");
        wanted.lost(object);
    }

    /** Requests one object by itself, which a cache in between may answer. */
    private void single(Wanted object, Set<Wanted> due) throws IOException {
        try {
            lines.singles().fetch(object.object(), in -> run.guarded(in, this::bytesCame));
            due.remove(object);
            ended(object, null);
        } catch (CorruptObjectException | StoreException e) {
            due.remove(object);
            ended(object, e);
        } catch (UnknownObjectException e) {
            if (!lines.link().reachable()) {
                throw e;
            }
            due.remove(object);
            ended(object, e);
        }
    }
}
