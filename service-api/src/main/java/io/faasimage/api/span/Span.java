package io.faasimage.api.span;

import java.time.Instant;
import java.util.Optional;

/** Something that takes time and is notified of when it has ended. No call blocks or throws; thread-safe. */
public interface Span extends AutoCloseable {
    /** Takes no notice. */
    Span NONE = new Span() {};

    /** Its place in its trace, for its children and for other processes; empty when nothing is notified of spans. */
    default Optional<TraceParent> context() {
        return Optional.empty();
    }

    /** Adds an attribute; a long value is cut. */
    default Span set(String name, String value) {
        return this;
    }

    /** Adds an attribute. */
    default Span set(String name, long value) {
        return this;
    }

    /** Gives it another name. */
    default void rename(String name) {}

    /** Names a span of another trace that has to do with this one. */
    default void link(TraceParent other) {}

    /** What it stands for went wrong; {@code reason} is for people. */
    default void failed(String reason) {}

    /** It ended at that time. The first end counts. */
    default void end(Instant at) {}

    /** It ends now, unless it has ended. */
    @Override
    default void close() {
        end(Instant.now());
    }
}
