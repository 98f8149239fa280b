package io.faasimage.adapter.span;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.Starting;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The functions whose start has begun and which have not answered yet, with what began it. Bounded; thread-safe. */
public final class StartingFunctions implements Starting {
    private static final int MOST = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Map<FunctionKey, Begun> begun = BoundedMap.lastPut(MOST);

    private record Begun(TraceParent span, long nanos) {}

    /** A start of this function begins, for the calling thread's span. */
    @Override
    public void begins(FunctionKey function) {
        CurrentSpan.get().ifPresent(span -> {
            synchronized (begun) {
                begun.put(function, new Begun(span, System.nanoTime()));
            }
        });
    }

    /** What began the start of a function that has not answered since. */
    Optional<TraceParent> span(FunctionKey function) {
        synchronized (begun) {
            Begun start = begun.get(function);
            return start != null && System.nanoTime() - start.nanos() < PATIENCE.toNanos()
                    ? Optional.of(start.span())
                    : Optional.empty();
        }
    }

    /** It has answered. */
    void answered(FunctionKey function) {
        refused(function);
    }

    @Override
    public void refused(FunctionKey function) {
        synchronized (begun) {
            begun.remove(function);
        }
    }
}
