package io.faasimage.spans;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter of ended spans and of those that the collector accepted, which logs new losses at most once a minute.
 * Thread-safe.
 */
final class CountedExporter implements SpanExporter {
    private static final Logger LOG = System.getLogger(CountedExporter.class.getName());
    private static final long SAY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SpanExporter exporter;
    private final int queue;
    private final LongAdder ended = new LongAdder();
    private final LongAdder taken = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong nextSaid = new AtomicLong(System.nanoTime());
    private final AtomicLong lostSaid = new AtomicLong();

    /**
     * Counts what {@code exporter} does.
     *
     * @param queue how many spans may wait for it; what ends when there are as many is lost
     */
    CountedExporter(SpanExporter exporter, int queue) {
        this.exporter = exporter;
        // As many as the SDK's queue has room for: a power of two.
        this.queue = Integer.highestOneBit(2 * queue - 1);
    }

    /** Spans that are to be exported. */
    long ended() {
        return ended.sum();
    }

    /** Those of them that the collector has not taken (yet). */
    long missing() {
        return ended.sum() - taken.sum();
    }

    /** Spans that are lost for good, as was known at the end of the last delivery. */
    long lost() {
        return lost.get();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> {
            (result.isSuccess() ? taken : refused).add(count);
            sayLost(countLost());
        });
        return result;
    }

    /**
     * The SDK does not report spans for which there was no room: they are what is missing and cannot be waiting.
     * That is exact when a delivery ends, and less when the queue is not full then, but they stay lost.
     */
    private long countLost() {
        long known = refused.sum() + Math.max(0, missing() - refused.sum() - queue);
        return lost.accumulateAndGet(known, Math::max);
    }

    private void sayLost(long known) {
        long now = System.nanoTime();
        long next = nextSaid.get();
        if (known > lostSaid.get() && now - next >= 0 && nextSaid.compareAndSet(next, now + SAY_NANOS)) {
            lostSaid.set(known);
            LOG.log(
                    Level.WARNING,
                    "the collector of spans does not take them, or not fast enough: {0} of {1} are lost so far",
                    known,
                    ended());
        }
    }

    /** Sees each span end. */
    SpanProcessor endings() {
        return new Endings();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }

    private final class Endings implements SpanProcessor {
        @Override
        public void onEnd(ReadableSpan span) {
            if (span.getSpanContext().isSampled()) {
                ended.increment();
            }
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
            // Counted when it ends.
        }

        @Override
        public boolean isStartRequired() {
            return false;
        }
    }
}
