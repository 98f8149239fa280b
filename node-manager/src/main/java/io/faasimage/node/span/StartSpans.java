package io.faasimage.node.span;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The span of each start, from the first question about its image on, so that all that is done for it has one trace. An
 * image has several names: chain IDs, and the digests of its manifest and plan. Bounded, the oldest give way; does
 * nothing while spans go nowhere. Thread-safe, and no call waits.
 *
 * <p>Implementation notes. Nothing tells that a question is the beginning of a start before the container is requested.
 * A span whose container does not come within {@link #PATIENCE} ends as {@code prefetch}; a start that comes later
 * begins a trace of its own, with a link to that one.
 */
public final class StartSpans {
    /** Takes no notice. */
    public static final StartSpans NONE = new StartSpans(Spans.NONE);

    private static final int MOST = 1024;
    private static final int MOST_LINKS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Spans spans;
    private final Duration patience;
    private final Map<Object, Start> byName = BoundedMap.lastPut(MOST);
    /** Where an image was requested before its container was. */
    private final Map<Object, TraceParent> earlier = BoundedMap.lastPut(MOST);
    /** Whose containers have been requested, until they are reported. */
    private final Set<Start> going = new HashSet<>();

    /** Starts whose spans go to {@code spans}. */
    public StartSpans(Spans spans) {
        this(spans, PATIENCE);
    }

    /** As above; a container is waited for {@code patience} long. */
    StartSpans(Spans spans, Duration patience) {
        this.spans = spans;
        this.patience = patience;
    }

    /** Where spans go. */
    public Spans spans() {
        return spans;
    }

    /**
     * One start, or what may become one.
     *
     * <p>Guarded by the owner's lock but for the span.
     */
    public static final class Start {
        static final Start NONE = new Start(Span.NONE);

        private final Span span;
        /** Names that other images may have, too: the first that is used is this one's. */
        private final Set<Object> vague = new HashSet<>();

        private Instant used = Instant.now();
        private boolean container;
        private boolean ended;

        private Start(Span span) {
            this.span = span;
        }

        /** For what is a part of it; empty when spans go nowhere. */
        public Optional<TraceParent> context() {
            return span.context();
        }

        /** Its trace, if that is recorded. */
        public Optional<String> traceId() {
            return context().filter(TraceParent::sampled).map(TraceParent::traceId);
        }

        /** Its span. */
        public Span span() {
            return span;
        }
    }

    /** Somebody asks about the image with this name: for what is done about that. */
    public Optional<TraceParent> asks(Object name) {
        if (!spans.isOn()) {
            return Optional.empty();
        }
        Optional<TraceParent> caller = CurrentSpan.get();
        Start start;
        synchronized (this) {
            // A question after its container was requested is about the next one.
            start = find(name).filter(s -> !s.container).orElse(null);
            if (start == null) {
                start = begin(caller, Instant.now());
                byName.put(name, start);
                caller = Optional.empty();
                awaitContainer(start);
            }
            start.used = Instant.now();
        }
        Optional<String> own = start.context().map(TraceParent::traceId);
        caller.filter(c -> !own.equals(Optional.of(c.traceId()))).ifPresent(start.span::link);
        return start.context();
    }

    private Start begin(Optional<TraceParent> parent, Instant at) {
        return new Start(spans.begin("start", Spans.Kind.INTERNAL, parent, at));
    }

    private Optional<Start> find(Object name) {
        @Nullable Start start = byName.get(name);
        if (start != null && start.vague.contains(name)) {
            start.vague.forEach(byName::remove);
            start.vague.clear();
            byName.put(name, start);
        }
        return Optional.ofNullable(start);
    }

    /** The image with this name has these other names. */
    public synchronized void isAlso(Object name, Collection<?> others) {
        find(name).ifPresent(start -> others.forEach(other -> byName.put(other, start)));
    }

    /** The image with this name has one of these other names. */
    public synchronized void isAmong(Object name, Collection<?> others) {
        find(name)
                .ifPresent(start -> others.forEach(other -> {
                    if (byName.putIfAbsent(other, start) == null) {
                        start.vague.add(other);
                    }
                }));
    }

    /** The image with this name is an ordinary one: nothing else will be done about the question. */
    public void isOrdinary(Object name) {
        Start start;
        synchronized (this) {
            start = byName.get(name);
            if (start == null || start.container) {
                return;
            }
            forget(start);
        }
        start.span.rename("no plan");
        start.span.close();
    }

    /** For what is done about the image with this name; empty when nobody waits for its container or has one. */
    public synchronized Optional<TraceParent> of(Object name) {
        Optional<Start> start = Optional.ofNullable(byName.get(name));
        start.ifPresent(s -> s.used = Instant.now());
        return start.flatMap(Start::context);
    }

    /** A container of the image is requested; names that belong to this image alone. {@link #ended} follows. */
    public Start starts(List<?> names, Instant at) {
        if (!spans.isOn()) {
            return Start.NONE;
        }
        synchronized (this) {
            Start start = names.stream()
                    .flatMap(name -> Optional.ofNullable(byName.get(name)).stream())
                    .filter(s -> !s.container)
                    .findFirst()
                    .orElseGet(() -> begin(Optional.empty(), at));
            start.container = true;
            names.forEach(name -> byName.put(name, start));
            names.stream()
                    .flatMap(name -> Optional.ofNullable(earlier.remove(name)).stream())
                    .distinct()
                    .forEach(start.span::link);
            going.add(start);
            return start;
        }
    }

    /** All is known of a start; its span ended at {@code at}. */
    public void ended(Start start, Instant at) {
        synchronized (this) {
            going.remove(start);
            forget(start);
        }
        start.span.end(at);
    }

    private void forget(Start start) {
        start.ended = true;
        byName.values().removeIf(start::equals);
    }

    /**
     * The gate requests an object. Nothing says for which container: with one start under way it is taken for that
     * one's, with several it is a trace of its own with links to them.
     */
    public Span demanded() {
        if (!spans.isOn()) {
            return Span.NONE;
        }
        List<TraceParent> starts;
        synchronized (this) {
            starts = going.stream()
                    .flatMap(start -> start.context().stream())
                    .limit(MOST_LINKS)
                    .toList();
        }
        Span span = spans.begin(
                "gate: object on demand", starts.size() == 1 ? Optional.of(starts.getFirst()) : Optional.empty());
        if (starts.size() > 1) {
            starts.forEach(span::link);
        }
        return span;
    }

    private void awaitContainer(Start start) {
        Executor later = CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS);
        later.execute(() -> giveUp(start));
    }

    private void giveUp(Start start) {
        synchronized (this) {
            if (start.container || start.ended) {
                return;
            }
            if (start.used.plus(patience).isAfter(Instant.now())) {
                awaitContainer(start);
                return;
            }
            byName.forEach((name, named) -> {
                if (named.equals(start)) {
                    start.context().ifPresent(context -> earlier.put(name, context));
                }
            });
            forget(start);
        }
        start.span.rename("prefetch");
        start.span.end(start.used);
    }
}
