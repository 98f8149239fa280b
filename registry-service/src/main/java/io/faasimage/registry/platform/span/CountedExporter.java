package io.faasimage.registry.platform.span;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An exporter that counts the spans that wait for another one, and those that are lost. The SDK drops spans without a
 * word when its queue is full; whole traces are refused here before that happens. New losses are logged at most once a
 * minute. Thread-safe.
 */
final class CountedExporter implements SpanExporter {
    private static final Logger LOG = System.getLogger(CountedExporter.class.getName());
    private static final long SAY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SpanExporter exporter;
    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong nextSaid = new AtomicLong(System.nanoTime());

    /** Counts the spans of {@code exporter}; {@code most} spans may wait for it. */
    CountedExporter(SpanExporter exporter, int most) {
        this.exporter = exporter;
        this.most = most;
    }

    /** Whether so many spans may be made now; else they are lost. */
    boolean admit(int spans) {
        if (waiting.addAndGet(spans) <= most) {
            return true;
        }
        waiting.addAndGet(-spans);
        lose(spans);
        return false;
    }

    /** Spans that the collector did not take, and that did not find room. */
    long lost() {
        return lost.get();
    }

    /** Spans whose fate is not known yet. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            waiting.addAndGet(-count);
            if (!result.isSuccess()) {
                lose(count);
            }
        });
    }

    private void lose(int spans) {
        long all = lost.addAndGet(spans);
        long now = System.nanoTime();
        long next = nextSaid.get();
        if (now - next >= 0 && nextSaid.compareAndSet(next, now + SAY_NANOS)) {
            LOG.log(
                    Level.WARNING,
                    "the collector of spans does not take them, or not fast enough: {0} are lost so far",
                    all);
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
