package io.faasimage.node.plan;

import io.faasimage.api.BundleRequest;
import io.faasimage.api.RegistryClient.ObjectContent;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RegistryLink;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the registry for plans and metadata images and stores them. Thread-safe; each question is asked once at a time and
 * answered within a bounded time.
 */
final class PlanLookup {
    private static final String TOPIC = "plan";

    private final RegistryLink link;
    private final PlanStore plans;
    private final Events events;
    private final Duration limit;
    private final ConcurrentHashMap<ChainId, FutureTask<Optional<Answer>>> running = new ConcurrentHashMap<>();

    PlanLookup(RegistryLink link, PlanStore plans, Events events, Duration limit) {
        this.link = link;
        this.plans = plans;
        this.events = events;
        this.limit = limit;
    }

    /**
     * A plan that the registry sent, stored here with its metadata image.
     *
     * @param wireBytes of the answer
     */
    record Answer(StoredPlan plan, long wireBytes) {}

    /** The plan of {@code chain} at the registry, stored here with its metadata image; empty when there is none. */
    Optional<Answer> ask(ChainId chain) throws IOException {
        FutureTask<Optional<Answer>> mine = new FutureTask<>(() -> fetchPlan(chain));
        @Nullable FutureTask<Optional<Answer>> other = running.putIfAbsent(chain, mine);
        if (other != null) {
            return await(other, "the plan of chain " + chain);
        }
        try {
            Thread.ofVirtual().name("plan-lookup").start(mine);
            return await(mine, "the plan of chain " + chain);
        } finally {
            running.remove(chain, mine);
        }
    }

    /** Fetches the metadata image of {@code layer}, unless it is here. */
    void needMetadata(PlanLayer layer) throws IOException {
        if (!plans.hasMetadata(layer.metadata())) {
            Callable<Boolean> fetch = () -> fetchMetadata(layer);
            FutureTask<Boolean> task = new FutureTask<>(fetch);
            Thread.ofVirtual().name("metadata").start(task);
            await(task, "the metadata image " + layer.metadata());
        }
    }

    private <T> T await(FutureTask<T> task, String what) throws IOException {
        String late = "the registry did not deliver " + what + " within " + limit.toMillis() + " ms";
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            link.broke(late);
            throw new IOException(late, e);
        } catch (CancellationException e) {
            // Another one waited for the same answer, and longer.
            throw new IOException(late, e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw new IOException("could not get " + what + ": " + Events.reason(cause == null ? e : cause), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, e);
        }
    }

    private Optional<Answer> fetchPlan(ChainId chain) throws IOException {
        Optional<InputStream> body = link.bundle(BundleRequest.planOf(chain));
        if (body.isEmpty()) {
            return Optional.empty();
        }
        Counted counted = new Counted(body.get());
        try (InputStream in = new BufferedInputStream(counted)) {
            BundleReader bundle = new BundleReader(in);
            @Nullable StoredPlan plan = null;
            for (Optional<Frame> frame = bundle.next(); frame.isPresent(); frame = bundle.next()) {
                plan = take(frame.get(), plan, chain);
            }
            if (plan == null || !plans.hasMetadata(plan.top().metadata())) {
                throw new IOException("the registry's answer has no plan with a metadata image");
            }
            events.info(TOPIC, "received plan " + plan.digest() + " for chain " + chain + " of image " + plan.image());
            return Optional.of(new Answer(plan, counted.bytes));
        }
    }

    private @Nullable StoredPlan take(Frame frame, @Nullable StoredPlan plan, ChainId chain) throws IOException {
        return switch (frame) {
            case Frame.PlanFrame f -> {
                StoredPlan stored = plans.save(f.encoded());
                if (stored.layer(chain).isEmpty()) {
                    throw new IOException("the registry answered with plan " + stored.digest() + " of other chains");
                }
                yield stored;
            }
            case Frame.MetadataFrame f -> {
                takeMetadata(f, plan);
                yield plan;
            }
            case Frame.ErrorFrame f -> throw new IOException("the registry gave up: " + f.message());
            case Frame.ObjectFrame f -> throw new IOException("the registry sent an object that was not asked for");
            case Frame.ChainsFrame f -> throw new IOException("the registry sent chains that were not asked for");
            case Frame.SelectedFrame f -> plan;
            case Frame.EndFrame f -> plan;
        };
    }

    private void takeMetadata(Frame.MetadataFrame frame, @Nullable StoredPlan plan) throws IOException {
        if (plan == null || !plan.top().metadata().equals(frame.digest())) {
            throw new IOException("the registry sent a metadata image that is not the plan's: " + frame.digest());
        }
        if (!plans.hasMetadata(frame.digest())) {
            plans.saveMetadata(frame.digest(), plan.top().metadataSize(), frame.payload(), true);
        }
    }

    private boolean fetchMetadata(PlanLayer layer) throws IOException {
        Optional<ObjectContent> content = link.object(layer.metadata());
        if (content.isEmpty()) {
            throw new IOException("the registry does not have it");
        }
        plans.saveMetadata(
                layer.metadata(),
                layer.metadataSize(),
                content.get().body(),
                content.get().zstd());
        return true;
    }

    /** Counts what is read; for one thread. */
    private static final class Counted extends FilterInputStream {
        private long bytes;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            bytes += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            bytes += Math.max(0, n);
            return n;
        }
    }
}
