package io.faasimage.api.span;

import java.util.Optional;

/** The span that the calling thread works for; requests that it sends and lines that it logs name its trace. */
public final class CurrentSpan {
    private static final ScopedValue<TraceParent> CURRENT = ScopedValue.newInstance();

    private CurrentSpan() {}

    /** Its context; empty when the thread works for none. */
    public static Optional<TraceParent> get() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Does {@code work} for {@code span}; for whatever it was before when that is empty. */
    public static <T, X extends Throwable> T call(Optional<TraceParent> span, ScopedValue.CallableOp<T, X> work)
            throws X {
        return span.isPresent() ? ScopedValue.where(CURRENT, span.get()).call(work) : work.call();
    }

    /** As {@link #call}, without a result. */
    public static void run(Optional<TraceParent> span, Runnable work) {
        call(span, () -> {
            work.run();
            return true;
        });
    }
}
