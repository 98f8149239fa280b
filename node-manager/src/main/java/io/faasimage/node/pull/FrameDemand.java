package io.faasimage.node.pull;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Frame.FramesFrame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.IndexRanges;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.store.pack.MissingFrames;
import io.faasimage.store.pack.Pack;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * On-demand fetches of frames that readers of packs wait for: some at once, for the neighbours of a frame that is read
 * are often read next; all that is left of an object that is asked for again. Thread-safe.
 */
public final class FrameDemand implements MissingFrames {
    /** A mebibyte of content. */
    private static final int AT_ONCE = 16;

    private static final int MOST_REMEMBERED = 4096;
    private static final int DIGITS = 64;

    private final PullLines lines;
    private final Demand demand;
    private final Plans plans;
    private final Map<Digest, Boolean> asked = BoundedMap.lastUsed(MOST_REMEMBERED);

    FrameDemand(PullLines lines, Demand demand, Plans plans) {
        this.lines = lines;
        this.demand = demand;
        this.plans = plans;
    }

    /** A source of plans. */
    @FunctionalInterface
    public interface Plans {
        /** The plan with this digest; empty when it is not on this node any more. */
        Optional<Plan> find(Digest plan) throws IOException;
    }

    @Override
    public CompletableFuture<Void> bring(Pack pack, IndexRange frames) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().name("frames").start(() -> {
            try {
                for (int frame = frames.from(); frame < frames.to(); ) {
                    int object = pack.layout().objectOf(frame);
                    int end =
                            Math.min(frames.to(), pack.layout().framesOf(object).to());
                    demand.fetch(needed(pack, object, new IndexRange(frame, end)), () -> {});
                    frame = end;
                }
                done.complete(null);
            } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** The frames that are fetched when {@code frames} of an object are missing; numbered in the pack. */
    private NeededFrames needed(Pack pack, int object, IndexRange frames) {
        IndexRange all = pack.layout().framesOf(object);
        boolean again;
        synchronized (asked) {
            again = asked.put(pack.layout().object(object), true) != null;
        }
        int end = again ? all.to() : Math.min(all.to(), Math.max(frames.to(), frames.from() + AT_ONCE));
        return new NeededFrames(
                new PackTarget(pack, object, List.of(new IndexRange(frames.from() - all.from(), end - all.from()))),
                frames);
    }

    /** Frames of one object: those to fetch, and those among them, numbered in the pack, that a reader waits for. */
    private final class NeededFrames implements Demand.Needed {
        private final PackTarget target;
        private final IndexRange waited;
        /** As in pulls, an object that came damaged in a bundle is requested by itself. */
        private boolean cameDamaged;

        NeededFrames(PackTarget target, IndexRange waited) {
            this.target = target;
            this.waited = waited;
        }

        @Override
        public Digest object() {
            return target.pack().layout().object(target.object());
        }

        @Override
        public boolean isHere() {
            return target.pack().has(waited);
        }

        @Override
        public boolean isFile() {
            return false;
        }

        @Override
        public void fetch(UnaryOperator<InputStream> guard) throws IOException {
            Digest plan = new Digest(target.pack().name().substring(0, DIGITS));
            Optional<List<IndexRange>> numbers = plans.find(plan).flatMap(this::numbers);
            if (numbers.isEmpty() || cameDamaged) {
                fetchWhole(guard);
                return;
            }
            try {
                fetch(plan, numbers.get(), guard);
            } catch (CorruptObjectException e) {
                cameDamaged = true;
                throw e;
            }
        }

        private Optional<List<IndexRange>> numbers(Plan plan) {
            OptionalInt index = IntStream.range(0, plan.startupCount())
                    .filter(i -> plan.objects().get(i).digest().equals(object()))
                    .findFirst();
            if (index.isEmpty()) {
                return Optional.empty();
            }
            int first = new PlanNumbers(plan).number(index.getAsInt(), 0);
            List<IndexRange> numbers = new ArrayList<>();
            target.missing().forEach(range -> numbers.add(new IndexRange(first + range.from(), first + range.to())));
            return Optional.of(IndexRanges.atMost(BundleRequest.MAX_RANGES, numbers));
        }

        private void fetch(Digest plan, List<IndexRange> numbers, UnaryOperator<InputStream> guard) throws IOException {
            Optional<BundleStream> answer = lines.link().bundle(BundleRequest.exact(plan, numbers, 0));
            if (answer.isEmpty()) {
                // The service has collected the plan, but may have the object for another one.
                fetchWhole(guard);
                return;
            }
            InputStream body = answer.get().body();
            FrameWriter writer = new FrameWriter();
            try (ObjectStream stream = ObjectStream.of(new BufferedInputStream(guard.apply(body)))) {
                for (Optional<Frame> frame = stream.next(); frame.isPresent(); frame = stream.next()) {
                    if (frame.get() instanceof FramesFrame frames
                            && frames.digest().equals(object())) {
                        writer.write(target, frames, _ -> {});
                    }
                }
            }
            check();
        }

        /** Its plan has left this node or the service, or its frames came damaged. */
        private void fetchWhole(UnaryOperator<InputStream> guard) throws IOException {
            ObjectContent content =
                    lines.link().object(object()).orElseThrow(() -> new UnknownObjectException(object()));
            try (InputStream body = guard.apply(content.body())) {
                if (!content.zstd()) {
                    throw new IOException("the service sent object " + object() + " uncompressed");
                }
                new FrameWriter()
                        .write(
                                target,
                                new FramesFrame(object(), 0, target.frames().storedSize(), body),
                                _ -> {});
            }
            check();
        }

        private void check() throws IOException {
            if (!isHere()) {
                throw new IOException("the service left frames of object " + object() + " out");
            }
        }
    }
}
