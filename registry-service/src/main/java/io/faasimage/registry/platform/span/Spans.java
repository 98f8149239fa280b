package io.faasimage.registry.platform.span;

import java.util.Optional;

/** A receiver of finished spans. No call waits for a collector; thread-safe. */
public interface Spans extends AutoCloseable {
    /** No-op. */
    Spans NONE = new Spans() {
        @Override
        public Optional<String> traceId(String subject) {
            return Optional.empty();
        }

        @Override
        public void export(String traceId, FinishedSpan root) {
            // Spans are not exported.
        }

        @Override
        public long lost() {
            return 0;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    };

    /**
     * The ID of the trace of {@code subject}, always the same one: 32 hex digits. Empty when its spans are not
     * exported.
     */
    Optional<String> traceId(String subject);

    /** Exports a whole trace. */
    void export(String traceId, FinishedSpan root);

    /** The number of spans that will not reach the collector, as far as that is known; never falls. */
    long lost();

    /** Sends the waiting spans, for a bounded time, and ends. */
    @Override
    void close();
}
