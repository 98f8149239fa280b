package io.faasimage.api.span;

import java.time.Instant;
import java.util.Optional;

/** A receiver of the spans of one process. No call waits for the collector; thread-safe. */
public interface Spans extends AutoCloseable {
    /** Takes none. */
    Spans NONE = new Spans() {
        @Override
        public Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at) {
            return Span.NONE;
        }

        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    };

    /** What a span is of. */
    enum Kind {
        /** Work of this process. */
        INTERNAL,
        /** A request of another process that this one answers. */
        SERVER
    }

    /**
     * Begins a span.
     *
     * @param parent that it is a part of, in this process or another; a new trace begins when it is empty
     * @param at when it began
     */
    Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at);

    /** Begins a span of this process's own work now. */
    default Span begin(String name, Optional<TraceParent> parent) {
        return begin(name, Kind.INTERNAL, parent, Instant.now());
    }

    /** Whether spans go anywhere. */
    boolean isOn();

    /** How many that ended will not reach the collector, as far as that is known; never falls. */
    default long lost() {
        return 0;
    }

    /** Sends what waits, for a bounded time, and ends. */
    @Override
    void close();
}
