package io.faasimage.adapter.span;

import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.util.Optional;
import org.slf4j.MDC;

/**
 * Work that a queue hands to another thread: it continues for the span it was requested in, which the log's lines name.
 */
public final class SpanWork {
    private static final String KEY = "trace_id";

    private SpanWork() {}

    /** Does {@code work} for {@code span}. */
    public static void run(Optional<TraceParent> span, Runnable work) {
        if (span.isEmpty()) {
            work.run();
            return;
        }
        try (MDC.MDCCloseable _ = MDC.putCloseable(KEY, span.get().traceId())) {
            CurrentSpan.run(span, work);
        }
    }
}
