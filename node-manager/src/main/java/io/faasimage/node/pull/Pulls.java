package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Packs;
import java.io.InputStream;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pulls of plans into the object store: in rank order over a few streams, each part of a plan once at a time.
 * Thread-safe.
 */
public final class Pulls implements AutoCloseable {
    private static final String TOPIC = "pull";
    private static final int BACKGROUND_PULLS = 2;

    private final PullLines lines;
    private final ObjectStore store;
    private final ObjectSink sink;
    private final ScheduledExecutorService scheduler;
    private final Demand demand;
    private final PackPlaces places;
    private final Prefault prefault;
    /** A pull that works holds its whole plan in memory. */
    private final Semaphore foregroundTurns;

    private final Semaphore backgroundTurns = new Semaphore(BACKGROUND_PULLS, true);
    private final Map<Key, Pull> running = new HashMap<>();
    private final Deque<PullReport> finished = new ArrayDeque<>();
    private final PullListener listener;
    private long lastEnd;
    private final LongAdder held = new LongAdder();
    private final LongAdder pulled = new LongAdder();

    private record Key(Digest plan, Part part) {}

    /** How urgent a pull is. */
    public enum Urgency {
        /** A start waits for it. */
        FOREGROUND,
        /** It continues while no start waits for anything. */
        BACKGROUND
    }

    /** An engine that publishes into {@code store}. */
    public Pulls(ServiceLink link, ObjectStore store, PullConfig config, Events events, InstantSource clock) {
        this(link, store, config, PullListener.NONE, events, clock);
    }

    /** An engine that publishes into {@code store}, and reports to {@code listener}. */
    public Pulls(
            ServiceLink link,
            ObjectStore store,
            PullConfig config,
            PullListener listener,
            Events events,
            InstantSource clock) {
        this.store = store;
        this.listener = listener;
        this.sink = new ObjectSink(store, config);
        this.places = new PackPlaces(store, events);
        this.prefault = new Prefault(store.packs(), events);
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("pull-watch").daemon().factory());
        this.lines = new PullLines(
                link,
                sink,
                places,
                prefault,
                new Singles(link, sink),
                new Claims(),
                new Foreground(config.calm()),
                config,
                events,
                clock,
                scheduler);
        this.demand = new Demand(lines, listener);
        this.foregroundTurns = new Semaphore(config.pulls(), true);
    }

    /**
     * Puts the engine's limits around a stream from the service; {@code counter} is notified of the bytes of each read.
     */
    public InputStream guarded(InputStream in, LongConsumer counter) {
        return new GuardedStream(in, counter, lines.config().stall(), scheduler);
    }

    /** Where objects go. */
    public ObjectStore store() {
        return store;
    }

    /** A pull may begin soon: looks at the directories of the store. Returns at once. */
    public void expect() {
        Thread.ofPlatform().daemon().name("expect").start(sink::touch);
    }

    /** Where the objects of prefetch lists lie. */
    public PackPlaces places() {
        return places;
    }

    /**
     * Begins to bring frames of packs that readers wait for.
     *
     * @param plans the plan with this digest, when it is here
     */
    public void serve(FrameDemand.Plans plans) {
        store.packs().ifPresent(packs -> packs.serve(new FrameDemand(lines, demand, plans)));
    }

    /** Objects whose content comes from elsewhere than the service. */
    public Contents contents() {
        return new Contents(store);
    }

    /** Brings objects that readers wait for by {@code source} when the service does not. */
    public void fallBackOn(LayerSource source) {
        demand.fallBackOn(source);
    }

    /** Objects that are wanted now, whether or not pulls run. */
    public Demand demand() {
        return demand;
    }

    /** Starts a pull that a start waits for, or returns the one that already runs for this part of the plan. */
    public Pull start(Digest digest, PlanSource plan, Part part) {
        return start(digest, plan, part, Urgency.FOREGROUND, Optional.empty());
    }

    /**
     * Starts a pull, or returns the one that already runs for this part of the plan.
     *
     * @param answer that brought the plan and brings some of the objects; dropped when the pull runs already
     */
    public Pull start(Digest digest, PlanSource plan, Part part, Urgency urgency, Optional<PlanAnswer> answer) {
        Key key = new Key(digest, part);
        PullRun run = new PullRun(digest, plan, part, urgency == Urgency.BACKGROUND, lines);
        CompletableFuture<PullReport> done = new CompletableFuture<>();
        Pull pull = new Pull(run, done);
        synchronized (running) {
            @Nullable Pull already = running.putIfAbsent(key, pull);
            if (already != null) {
                answer.ifPresent(PlanAnswer::drop);
                return already;
            }
        }
        // It looks for many files, which as a virtual thread would keep containerd's calls waiting for its carrier.
        Thread.ofPlatform().daemon().name("pull").start(() -> complete(key, run, answer, done));
        return pull;
    }

    private void complete(Key key, PullRun run, Optional<PlanAnswer> answer, CompletableFuture<PullReport> done) {
        try {
            PullReport report = report(run, answer);
            remember(key, report);
            done.complete(report);
        } catch (RuntimeException | Error e) {
            lines.events().error(TOPIC, "a bug stopped the pull of plan " + key.plan() + ": " + e);
            synchronized (running) {
                running.remove(key);
            }
            done.completeExceptionally(e);
        }
    }

    private PullReport report(PullRun run, Optional<PlanAnswer> answer) {
        if (run.isBackground()) {
            return inTurn(run, answer, backgroundTurns);
        }
        try (Foreground.Work _ = lines.foreground().begin()) {
            return inTurn(run, answer, foregroundTurns);
        }
    }

    /** A pull that waits for its turn drops the answer that it would continue with: that would keep a connection. */
    private static PullReport inTurn(PullRun run, Optional<PlanAnswer> answer, Semaphore turns) {
        Optional<PlanAnswer> usable = answer;
        if (!turns.tryAcquire()) {
            answer.ifPresent(PlanAnswer::drop);
            usable = Optional.empty();
            turns.acquireUninterruptibly();
        }
        try {
            return run.run(usable);
        } finally {
            turns.release();
        }
    }

    /**
     * Waits until no start has waited for anything for a moment.
     *
     * @param unless ends the wait at once; looked at now and then
     */
    public void awaitCalm(BooleanSupplier unless) throws InterruptedException {
        lines.foreground().awaitCalm(unless);
    }

    /** Whether a pull that runs brings this object. */
    public boolean brings(Digest object) {
        return running().stream().anyMatch(pull -> pull.brings(object));
    }

    private void remember(Key key, PullReport report) {
        if (report.part().isForStart()) {
            held.add(report.held());
            pulled.add(report.objects());
        }
        synchronized (running) {
            running.remove(key);
            if (finished.size() == lines.config().history()) {
                finished.removeFirst();
            }
            finished.addLast(report);
            lastEnd = System.nanoTime();
            if (running.isEmpty()) {
                sink.rest();
            }
        }
        listener.ended(report);
        String text = "pulled " + report.objects() + " objects of plan " + key.plan() + " ("
                + report.part().label() + "), " + report.wireBytes() + " bytes in "
                + report.took().toMillis() + " ms, " + report.held() + " present before";
        if (report.complete()) {
            lines.events().info(TOPIC, text);
        } else {
            lines.events()
                    .error(
                            TOPIC,
                            text + "; " + report.missing() + " are missing: " + String.join("; ", report.failures()));
        }
    }

    /**
     * Objects of prefetch lists so far.
     *
     * @param held that were there when a pull looked
     * @param pulled that pulls brought
     */
    public record Counts(long held, long pulled) {}

    /** The counts. */
    public Counts counts() {
        return new Counts(held.sum(), pulled.sum());
    }

    /** The pull that runs for this part of the plan. */
    public Optional<Pull> running(Digest plan, Part part) {
        synchronized (running) {
            return Optional.ofNullable(running.get(new Key(plan, part)));
        }
    }

    /** The pull that runs for a start of this plan. */
    public Optional<Pull> forStart(Digest plan) {
        return running(plan, Part.STARTUP);
    }

    /** All that run now. */
    public List<Pull> running() {
        synchronized (running) {
            return List.copyOf(running.values());
        }
    }

    /** Whether a pull runs, or has ended in the last {@code seconds}. */
    public boolean endedWithin(int seconds) {
        synchronized (running) {
            return !running.isEmpty()
                    || (lastEnd != 0 && System.nanoTime() - lastEnd < TimeUnit.SECONDS.toNanos(seconds));
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
        store.packs().ifPresent(Packs::stop);
        sink.close();
        prefault.close();
        scheduler.shutdownNow();
    }
}
