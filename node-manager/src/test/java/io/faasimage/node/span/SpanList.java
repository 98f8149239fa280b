package io.faasimage.node.span;

import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps spans in the order in which they end. Thread-safe. */
public final class SpanList implements Spans {
    private final List<Ended> ended = new CopyOnWriteArrayList<>();
    private final AtomicInteger count = new AtomicInteger();

    /** A span. */
    public final class Ended implements Span {
        private final TraceParent context;
        private final Optional<TraceParent> parent;
        private final Instant begin;
        private final List<TraceParent> links = new CopyOnWriteArrayList<>();
        private final Map<String, String> attributes = new ConcurrentHashMap<>();
        private volatile String name;
        private volatile @Nullable Instant end;

        private Ended(String name, Optional<TraceParent> parent, Instant begin) {
            String id = "%016x".formatted(count.incrementAndGet());
            this.name = name;
            this.parent = parent;
            this.begin = begin;
            this.context = new TraceParent(parent.map(TraceParent::traceId).orElse("f".repeat(16) + id), id, true);
        }

        @Override
        public Optional<TraceParent> context() {
            return Optional.of(context);
        }

        @Override
        public Span set(String attribute, String value) {
            attributes.put(attribute, value);
            return this;
        }

        @Override
        public void rename(String other) {
            name = other;
        }

        @Override
        public void link(TraceParent other) {
            links.add(other);
        }

        @Override
        public void end(Instant at) {
            if (end == null) {
                end = at;
                ended.add(this);
            }
        }

        public Optional<TraceParent> parent() {
            return parent;
        }

        public Instant begin() {
            return begin;
        }

        public @Nullable Instant end() {
            return end;
        }

        public Map<String, String> attributes() {
            return attributes;
        }

        public List<TraceParent> links() {
            return links;
        }
    }

    @Override
    public Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at) {
        return new Ended(name, parent, at);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    /** The names of all that have ended. */
    public List<String> names() {
        return ended.stream().map(span -> span.name).toList();
    }

    /** The first of that name that ended. */
    public Ended named(String name) {
        return ended.stream()
                .filter(span -> span.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no '" + name + "' among " + names()));
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
