package io.faasimage.node;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.starts.trace.TraceLimits;
import io.faasimage.node.starts.trace.TraceRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * The planned images whose next start is to show which parts of large files it reads. The service is asked while an
 * image is pulled, so that no start waits for the answer, and the traced start is one that is cold: its files are not
 * in the page cache, in which a trace has to begin. Thread-safe.
 */
final class RangeTraces implements StartEvents, AutoCloseable {
    private static final int MOST_IMAGES = 4096;

    private final ServiceLink link;
    private final Tops tops;
    private final LargeFiles large;
    private final Events events;
    /** Guarded by itself. */
    private final Map<ChainId, TraceRequest> wanted = BoundedMap.lastUsed(MOST_IMAGES);

    private final ExecutorService questions = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("range-traces").daemon().factory());

    /** A look for large files. */
    @FunctionalInterface
    interface LargeFiles {
        /** Whether starts of a planned image here read large files. */
        boolean areIn(ChainId top) throws IOException;
    }

    /** The images of plans. */
    @FunctionalInterface
    interface Tops {
        /** The whole image that a plan is for; empty when the plan is not here any more. */
        Optional<ChainId> of(Digest plan);
    }

    RangeTraces(ServiceLink link, Tops tops, LargeFiles large, Events events) {
        this.link = link;
        this.tops = tops;
        this.large = large;
        this.events = events;
    }

    /** Asks about an image whose plan has arrived. */
    @Override
    public void accept(StartEvent event) {
        if (event instanceof PlanArrived arrived) {
            try {
                questions.execute(() -> ask(arrived.plan()));
            } catch (RejectedExecutionException e) {
                // The agent stops.
            }
        }
    }

    /** How to trace this start of a planned image; empty when it is not wanted, or not known yet. Returns at once. */
    Optional<TraceRequest> next(ChainId top) {
        synchronized (wanted) {
            return Optional.ofNullable(wanted.remove(top));
        }
    }

    private void ask(Digest plan) {
        Optional<ChainId> top = tops.of(plan);
        try {
            if (top.isEmpty()) {
                return;
            }
            link.checkThere();
            Optional<TraceRequest> request = link.chain(top.get()).flatMap(RangeTraces::request);
            if (request.isPresent() && large.areIn(top.get())) {
                synchronized (wanted) {
                    wanted.put(top.get(), request.get());
                }
            }
        } catch (IOException | RuntimeException e) {
            events.info(
                    "trace",
                    "whether another trace of chain " + top.get() + " is wanted is not known: " + Events.reason(e));
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
