package io.faasimage.node.pull;

import io.faasimage.api.BundleRequest;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Frame.ObjectFrame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RegistryDownException;
import io.faasimage.store.StoreException;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Fetches one segment's missing objects: by bundle streams, and what they did not bring one by one. Runs on one thread;
 * small objects are published by the workers of the sink, large ones by this thread at the pace of the network.
 */
final class SegmentPull implements Runnable {
    private static final String TOPIC = "pull";
    private static final int BUFFER_BYTES = 64 << 10;

    private final PullRun run;
    private final PullLines lines;
    private final Segment segment;
    private final Map<Digest, PlanObject> missing;
    /** Came damaged in a stream. */
    private final Set<Digest> refused = ConcurrentHashMap.newKeySet();

    private final AtomicLong wireBytes = new AtomicLong();
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final Phaser publishing = new Phaser(1);
    private volatile Duration took = Duration.ZERO;

    SegmentPull(PullRun run, PullLines lines, Segment segment, Map<Digest, PlanObject> missing) {
        this.run = run;
        this.lines = lines;
        this.segment = segment;
        this.missing = new ConcurrentHashMap<>(missing);
    }

    SegmentReport report() {
        return new SegmentReport(segment, wireBytes.get(), published.get(), requests.get(), took);
    }

    @Override
    public void run() {
        long begin = System.nanoTime();
        try {
            // This plan itself lacks something, whatever was once remembered of it.
            List<Digest> have = lines.have().get().stream()
                    .filter(plan -> !plan.equals(run.plan()))
                    .toList();
            if (streams(have) && !have.isEmpty() && isSomethingLeftOut()) {
                lines.events()
                        .fallback(
                                TOPIC,
                                "the registry left out objects of the " + segment.label() + " segment of plan "
                                        + run.plan()
                                        + " that a plan should have brought here but did not; asking for all");
                streams(List.of());
            }
            new SingleFetches(this, lines).fetch(List.copyOf(missing.values()));
        } catch (RuntimeException e) {
            run.failed("the " + segment.label() + " segment: " + e);
            lines.events()
                    .error(TOPIC, "a bug stopped the " + segment.label() + " segment of " + run.plan() + ": " + e);
        } finally {
            took = Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    private boolean isSomethingLeftOut() {
        return !refused.containsAll(missing.keySet());
    }

    /** Streams until one came to its end, or the attempts are used up; says whether one did. */
    private boolean streams(List<Digest> have) {
        Backoff backoff = new Backoff(lines.config());
        while (!missing.isEmpty() && run.aborted() == null && backoff.next()) {
            try {
                stream(have);
                return true;
            } catch (RegistryDownException e) {
                cut(backoff, e);
                if (lines.link().refusal().isPresent()) {
                    return false;
                }
            } catch (IOException e) {
                cut(backoff, e);
            } finally {
                publishing.arriveAndAwaitAdvance();
            }
        }
        return false;
    }

    private void cut(Backoff backoff, IOException e) {
        String reason = Events.reason(e);
        run.failed("the " + segment.label() + " segment: " + reason);
        lines.events()
                .fallback(
                        TOPIC,
                        "attempt " + backoff.attempt() + " for the " + segment.label() + " segment of plan "
                                + run.plan() + " ended early, " + missing.size() + " objects remain: " + reason);
    }

    private void stream(List<Digest> have) throws IOException {
        BundleRequest request = BundleRequest.objects(run.plan(), segment, run.set(), have);
        requests.incrementAndGet();
        Optional<InputStream> body = lines.link().bundle(request);
        if (body.isEmpty()) {
            throw new IOException("the registry does not know the plan (any more)");
        }
        try (InputStream in = new BufferedInputStream(guarded(body.get()), BUFFER_BYTES)) {
            BundleReader bundle = new BundleReader(in);
            for (Optional<Frame> frame = bundle.next(); frame.isPresent(); frame = bundle.next()) {
                take(frame.get());
                checkAborted();
            }
        }
    }

    GuardedStream guarded(InputStream body) {
        return new GuardedStream(
                body,
                new WireCount(wireBytes, run.wireBytes())::add,
                lines.config().stall(),
                lines.scheduler());
    }

    private void checkAborted() throws IOException {
        @Nullable String reason = run.aborted();
        if (reason != null) {
            throw new IOException(reason);
        }
    }

    private void take(Frame frame) throws IOException {
        switch (frame) {
            case ObjectFrame object -> take(object);
            case Frame.ErrorFrame error -> throw new IOException("the registry gave up: " + error.message());
            case Frame.PlanFrame plan ->
                lines.events().info(TOPIC, "ignored the plan " + plan.digest() + ", not asked for");
            case Frame.MetadataFrame meta ->
                lines.events().info(TOPIC, "ignored the metadata image " + meta.digest() + ", not asked for");
            case Frame.ChainsFrame chains -> lines.events().info(TOPIC, "ignored chains, not asked for");
            case Frame.SelectedFrame selected -> {}
            case Frame.EndFrame end -> {}
        }
    }

    private void take(ObjectFrame frame) throws IOException {
        @Nullable PlanObject object = missing.get(frame.digest());
        if (object == null) {
            return;
        }
        if (frame.rawSize() != object.size()) {
            refused(
                    object,
                    new IOException("announced with " + frame.rawSize() + " bytes instead of " + object.size()));
        } else if (lines.sink().holds(object.digest())) {
            held(object);
        } else if (frame.storedSize() > lines.config().streamedBytes()) {
            publishDirectly(object, frame.payload());
        } else {
            byte[] bytes = frame.payload().readNBytes((int) frame.storedSize());
            submit(object, bytes);
        }
    }

    private void submit(PlanObject object, byte[] frame) throws IOException {
        publishing.register();
        boolean submitted = false;
        try {
            lines.sink().submit(object, frame, this::outcome);
            submitted = true;
        } finally {
            if (!submitted) {
                publishing.arriveAndDeregister();
            }
        }
    }

    /** Publishes on this thread; a failure of the network ends the stream, one of the object does not. */
    private void publishDirectly(PlanObject object, InputStream payload) throws IOException {
        try {
            lines.sink().publish(object, new Unclosable(payload), true);
            published(object);
        } catch (CorruptObjectException e) {
            refused(object, e);
        } catch (StoreException e) {
            stopped(e);
        }
    }

    private void outcome(PlanObject object, @Nullable IOException failure) {
        try {
            switch (failure) {
                case null -> published(object);
                case CorruptObjectException e -> refused(object, e);
                case IOException e -> stopped(e);
            }
        } finally {
            publishing.arriveAndDeregister();
        }
    }

    /** Published by this pull. */
    void published(PlanObject object) {
        if (missing.remove(object.digest()) != null) {
            published.incrementAndGet();
            run.countPublished();
        }
    }

    /** Someone else published it meanwhile. */
    void held(PlanObject object) {
        if (missing.remove(object.digest()) != null) {
            run.countPublished();
        }
    }

    private void refused(PlanObject object, IOException reason) {
        refused.add(object.digest());
        lines.events()
                .fallback(
                        TOPIC,
                        "refused object " + object.digest() + " from the stream, it will be asked for singly: "
                                + Events.reason(reason));
    }

    /** The local disk failed: no further object can be published, so the whole pull ends. */
    void stopped(IOException reason) {
        run.abort("could not store objects of plan " + run.plan() + ": " + Events.reason(reason));
    }

    /** One object cannot be had. */
    void failed(PlanObject object, String reason) {
        run.failed(reason);
        lines.events().error(TOPIC, reason + "; object " + object.digest() + " is left to be fetched when it is read");
    }

    /** Nothing more can be had now. */
    void registryDown(String reason) {
        run.failed(reason);
    }

    @Nullable
    String aborted() {
        return run.aborted();
    }

    void countRequest() {
        requests.incrementAndGet();
    }

    /** Keeps the bundle's stream open when a payload's decompressor is closed. */
    private static final class Unclosable extends FilterInputStream {
        Unclosable(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // The bundle reader goes on with the stream.
        }
    }
}
