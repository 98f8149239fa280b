package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.trace.Trace;
import io.faasimage.linux.Fanotify;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.StartEvent.TraceBegun;
import io.faasimage.node.link.start.StartEvent.TraceEnded;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.starts.trace.TraceRequest.Detail;
import io.faasimage.store.pack.Pack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A tracer of starts with fanotify: those that the policy wants, and those that were armed by hand. Several images at
 * once, one start of an image at a time; a start that comes while another of its image is traced is not traced.
 *
 * <p>The overlay of a traced start stays mounted until its snapshot is removed, also when this process ends; a trace
 * that is cut off by that is lost. Thread-safe.
 */
public final class StartTracer implements StartTracing, AutoCloseable {
    private static final String TOPIC = "trace";
    private static final Duration END_WAIT = Duration.ofSeconds(10);

    private final StartTracerConfig config;
    private final TracePolicy policy;
    private final TraceSink sink;
    private final Events events;
    private final TracedMounts mounts;
    private final StartEvents starts;
    private final LargeObjects large;
    private final Set<ChainId> busy = ConcurrentHashMap.newKeySet();
    private final Map<String, TraceRun> runs = new ConcurrentHashMap<>();
    private final Map<ChainId, Armed> armed = new ConcurrentHashMap<>();

    private record Armed(TraceRequest request, CompletableFuture<Trace> result) {}

    /**
     * Finds the mounts that an earlier process left.
     *
     * @param sink receives every finished trace
     * @param events receives one event for each trace, with its end or the reason why there is none
     * @throws IOException when the directory cannot be made or read
     */
    public StartTracer(StartTracerConfig config, TracePolicy policy, TraceSink sink, Events events) throws IOException {
        this(config, policy, sink, StartEvents.NONE, LargeObjects.NONE, events);
    }

    /**
     * A tracer that reports to {@code starts}.
     *
     * @param starts receives when the image's first program was seen, and the readiness
     * @param large the objects of which the parts that are read are traced
     */
    public StartTracer(
            StartTracerConfig config,
            TracePolicy policy,
            TraceSink sink,
            StartEvents starts,
            LargeObjects large,
            Events events)
            throws IOException {
        this.starts = starts;
        this.large = large;
        this.config = config;
        this.policy = policy;
        this.sink = sink;
        this.events = events;
        this.mounts = TracedMounts.open(config.directory(), large, events);
    }

    /**
     * Traces the next start of {@code chain}, whatever the policy says.
     *
     * @return the trace; fails with {@link TraceDiscardedException} when it came to nothing, with a TimeoutException
     *     when no start came in time; cancel it to disarm. The same future when it is armed already.
     * @throws IllegalStateException when too many images are armed
     */
    public CompletableFuture<Trace> arm(ChainId chain, TraceRequest request) {
        if (armed.size() >= config.maxArmed() && !armed.containsKey(chain)) {
            throw new IllegalStateException(
                    armed.size() + " images wait for a start to trace; cancel one or wait for it");
        }
        return armed.computeIfAbsent(chain, c -> newArmed(c, request)).result();
    }

    private Armed newArmed(ChainId chain, TraceRequest request) {
        CompletableFuture<Trace> result =
                new CompletableFuture<Trace>().orTimeout(config.armedFor().toMillis(), TimeUnit.MILLISECONDS);
        Armed entry = new Armed(request, result);
        var _ = result.whenCompleteAsync((_, _) -> armed.remove(chain, entry));
        return entry;
    }

    @Override
    public Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) throws IOException {
        if (runs.size() >= config.maxRuns() || !busy.add(chain)) {
            return Optional.empty();
        }
        boolean begun = false;
        try {
            Armed byHand = armed.remove(chain);
            Optional<TraceRequest> request = byHand == null ? wanted(key, chain) : Optional.of(byHand.request());
            if (request.isEmpty()) {
                return Optional.empty();
            }
            Path root = start(key, chain, overlayOptions, request.get(), byHand);
            begun = true;
            return Optional.of(root);
        } finally {
            if (!begun) {
                busy.remove(chain);
            }
        }
    }

    private Optional<TraceRequest> wanted(String key, ChainId chain) {
        try {
            return policy.wanted(key, chain);
        } catch (RuntimeException e) {
            events.fallback(
                    TOPIC,
                    "the start of '" + key + "' is not traced, because it is unknown whether a trace is wanted: "
                            + Events.reason(e));
            return Optional.empty();
        }
    }

    private Path start(
            String key, ChainId chain, List<String> overlayOptions, TraceRequest request, @Nullable Armed byHand)
            throws IOException {
        try {
            Set<Pack> packs = request.detail() == Detail.FILES ? Set.of() : large(key, chain);
            TracedMounts.Traced traced = mounts.mount(key, overlayOptions, packs);
            if (request.detail() == Detail.PARTS
                    && !packs.isEmpty()
                    && traced.pages().isEmpty()) {
                mounts.unmount(key);
                throw new IOException("which parts of large files it reads cannot be seen");
            }
            Path root = traced.rootfs();
            Fanotify group = watch(key, root);
            ContainerPaths paths = new ContainerPaths(root, overlayOptions);
            TraceRun run = new TraceRun(
                    chain, request, group, paths, traced.pages(), outcome -> ended(key, chain, outcome, byHand));
            runs.put(key, run);
            starts.accept(new TraceBegun(key));
            run.start();
            return root;
        } catch (IOException e) {
            if (byHand != null) {
                byHand.result().completeExceptionally(e);
            }
            throw e;
        }
    }

    private Set<Pack> large(String key, ChainId chain) {
        try {
            return large.of(chain);
        } catch (IOException e) {
            events.fallback(
                    TOPIC,
                    "which parts of large files the start of '" + key + "' reads is not traced: " + Events.reason(e));
            return Set.of();
        }
    }

    private Fanotify watch(String key, Path root) throws IOException {
        try {
            Fanotify group = Fanotify.open(config.unlimitedQueue());
            try {
                group.watch(root);
                return group;
            } catch (IOException e) {
                group.close();
                throw e;
            }
        } catch (IOException e) {
            mounts.unmount(key);
            throw e;
        }
    }

    /** Called by the trace's thread. */
    private void ended(String key, ChainId chain, TraceRun.Outcome outcome, @Nullable Armed byHand) {
        runs.remove(key);
        busy.remove(chain);
        switch (outcome) {
            case TraceRun.Outcome.Traced(
                    Trace trace,
                    String why,
                    Duration took,
                    OptionalLong firstProcess,
                    OptionalLong ready) -> {
                starts.accept(new TraceEnded(key, firstProcess, ready));
                events.info(
                        TOPIC,
                        "the start of '" + key + "' (" + chain + ") opened "
                                + trace.entries().size() + " files in " + took.toMillis() + " ms; it ended because "
                                + why);
                sink.traced(key, trace);
                if (byHand != null) {
                    byHand.result().complete(trace);
                }
            }
            case TraceRun.Outcome.Discarded(String reason) -> {
                starts.accept(new TraceEnded(key, OptionalLong.empty(), OptionalLong.empty()));
                events.fallback(TOPIC, "the trace of '" + key + "' (" + chain + ") is discarded: " + reason);
                if (byHand != null) {
                    byHand.result().completeExceptionally(new TraceDiscardedException(reason));
                }
            }
        }
    }

    @Override
    public Optional<Path> mounted(String key) {
        return mounts.find(key);
    }

    @Override
    public void removed(String key) {
        TraceRun run = runs.get(key);
        if (run != null && !run.end(END_WAIT)) {
            events.error(TOPIC, "the trace of '" + key + "' did not end within " + END_WAIT);
        }
        mounts.unmount(key);
    }

    /** Gives up the traces that run; their root file systems stay mounted. */
    @Override
    public void close() {
        runs.values().forEach(run -> run.abandon(END_WAIT));
        armed.values().forEach(entry -> entry.result().cancel(false));
    }
}
