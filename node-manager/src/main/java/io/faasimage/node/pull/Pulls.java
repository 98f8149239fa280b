package io.faasimage.node.pull;

import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.store.ObjectStore;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pulls objects of plans into the object store: segments as parallel streams, each plan's set once at a time.
 * Thread-safe.
 */
public final class Pulls implements AutoCloseable {
    private static final String TOPIC = "pull";

    private final PullLines lines;
    private final ObjectSink sink;
    private final ScheduledExecutorService scheduler;
    private final Map<Key, Pull> running = new HashMap<>();
    private final Deque<PullReport> finished = new ArrayDeque<>();

    private record Key(Digest plan, ObjectSet set) {}

    /**
     * An engine that publishes into {@code store}.
     *
     * @param have gives the plans whose start-up sets are held, newest first, a bounded number
     */
    public Pulls(
            RegistryLink link,
            ObjectStore store,
            PullConfig config,
            Events events,
            InstantSource clock,
            Supplier<List<Digest>> have) {
        this.sink = new ObjectSink(store, config);
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("pull-watch").daemon().factory());
        this.lines = new PullLines(link, sink, config, events, clock, scheduler, have);
    }

    /** Starts a pull in the background, or answers the one that already runs for this plan and set. */
    public Pull start(Digest digest, PlanSource plan, ObjectSet set) {
        synchronized (running) {
            Key key = new Key(digest, set);
            @Nullable Pull already = running.get(key);
            if (already != null) {
                return already;
            }
            PullRun run = new PullRun(digest, plan, set, lines);
            CompletableFuture<PullReport> done = new CompletableFuture<>();
            Pull pull = new Pull(run, done);
            running.put(key, pull);
            Thread.ofVirtual().name("pull").start(() -> complete(key, run, done));
            return pull;
        }
    }

    private void complete(Key key, PullRun run, CompletableFuture<PullReport> done) {
        try {
            PullReport report = run.run();
            remember(key, report);
            done.complete(report);
        } catch (RuntimeException e) {
            lines.events().error(TOPIC, "a bug stopped the pull of plan " + key.plan() + ": " + e);
            synchronized (running) {
                running.remove(key);
            }
            done.completeExceptionally(e);
        }
    }

    private void remember(Key key, PullReport report) {
        synchronized (running) {
            running.remove(key);
            if (finished.size() == lines.config().history()) {
                finished.removeFirst();
            }
            finished.addLast(report);
        }
        String text = "pulled " + report.objects() + " objects of plan " + key.plan() + " ("
                + report.set().name().toLowerCase(java.util.Locale.ROOT) + "), " + report.wireBytes() + " bytes in "
                + report.took().toMillis() + " ms, " + report.held() + " held before";
        if (report.complete()) {
            lines.events().info(TOPIC, text);
        } else {
            lines.events()
                    .error(
                            TOPIC,
                            text + "; " + report.missing() + " are missing: " + String.join("; ", report.failures()));
        }
    }

    /** The pull that runs for this plan and set. */
    public Optional<Pull> running(Digest plan, ObjectSet set) {
        synchronized (running) {
            return Optional.ofNullable(running.get(new Key(plan, set)));
        }
    }

    /** All that run now. */
    public List<Pull> running() {
        synchronized (running) {
            return List.copyOf(running.values());
        }
    }

    /** The newest that are over, oldest first. */
    public List<PullReport> finished() {
        synchronized (running) {
            return List.copyOf(finished);
        }
    }

    /** Stops the workers; pulls under way fail. */
    @Override
    public void close() {
        sink.close();
        scheduler.shutdownNow();
    }
}
