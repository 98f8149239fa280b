package io.faasimage.node;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.starts.trace.TraceLimits;
import io.faasimage.node.starts.trace.TraceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * The planned images whose next start is to show which parts of large files it reads. The service requests that after a
 * start, so that none waits for it, and the next start is traced, which has its objects. A start whose trace failed is
 * followed by a pause. Thread-safe.
 */
final class RangeTraces implements AutoCloseable {
    private static final int MOST_IMAGES = 4096;
    private static final Duration PAUSE = Duration.ofMinutes(10);

    private final ServiceLink link;
    private final LargeFiles large;
    private final Events events;
    /** The service's answer, and the time of the next request; guarded by itself. */
    private final Map<ChainId, Answer> answers = BoundedMap.lastUsed(MOST_IMAGES);

    private final ExecutorService questions = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("range-traces").daemon().factory());

    /**
     * An answer of the service.
     *
     * @param request how the next start is to be traced; empty when it is not
     * @param again time of the next request, in nanoseconds of the monotonic clock
     */
    private record Answer(Optional<TraceRequest> request, long again) {}

    /** A look for large files. */
    @FunctionalInterface
    interface LargeFiles {
        /** Whether starts of a planned image here read large files. */
        boolean areIn(ChainId top) throws IOException;
    }

    RangeTraces(ServiceLink link, LargeFiles large, Events events) {
        this.link = link;
        this.large = large;
        this.events = events;
    }

    /** How to trace this start of a planned image; empty when it is not wanted, or not known yet. Returns at once. */
    Optional<TraceRequest> next(ChainId top) {
        synchronized (answers) {
            Answer answer = answers.get(top);
            long now = System.nanoTime();
            if (answer != null && answer.request().isPresent()) {
                answers.put(top, new Answer(Optional.empty(), now + PAUSE.toNanos()));
                return answer.request();
            }
            if (answer != null && now - answer.again() < 0) {
                return Optional.empty();
            }
            answers.put(top, new Answer(Optional.empty(), now + PAUSE.toNanos()));
        }
        try {
            questions.execute(() -> ask(top));
        } catch (RejectedExecutionException e) {
            // The agent stops.
        }
        return Optional.empty();
    }

    /** A trace that showed parts of files was delivered: the next start may request another. */
    void delivered(ChainId top) {
        synchronized (answers) {
            answers.remove(top);
        }
    }

    private void ask(ChainId top) {
        try {
            if (!large.areIn(top)) {
                return;
            }
            link.checkThere();
            Optional<TraceRequest> request = link.chain(top).flatMap(RangeTraces::request);
            if (request.isPresent()) {
                synchronized (answers) {
                    answers.put(top, new Answer(request, 0));
                }
            }
        } catch (IOException | RuntimeException e) {
            events.info(
                    "trace", "whether another trace of chain " + top + " is wanted is not known: " + Events.reason(e));
        }
    }

    private static Optional<TraceRequest> request(ChainInfo info) {
        return info.images().stream()
                .filter(image -> image.top() && image.rangesWanted())
                .findFirst()
                .map(image -> new TraceRequest(
                        Optional.ofNullable(image.readiness()), TraceLimits.DEFAULT, TraceRequest.Detail.PARTS));
    }

    @Override
    public void close() {
        questions.shutdownNow();
    }
}
