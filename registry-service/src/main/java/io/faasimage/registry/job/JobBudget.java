package io.faasimage.registry.job;

import io.faasimage.refactor.ProgressListener;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The time that one run of a job may take: it ends with the first step after that. Thread-safe. */
final class JobBudget implements ProgressListener {
    /** A run took longer than it may. */
    static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Exceeded(String message) {
            super(message);
        }

        /** Whether this is why something failed. */
        static boolean causes(Throwable failure) {
            for (Throwable e = failure; e != null; e = e.getCause()) {
                if (e instanceof Exceeded) {
                    return true;
                }
            }
            return false;
        }
    }

    private final Duration budget;
    private final LongSupplier nanos;
    private final long begin;
    private final ProgressListener next;

    JobBudget(Duration budget, LongSupplier nanos, ProgressListener next) {
        this.budget = budget;
        this.nanos = nanos;
        this.begin = nanos.getAsLong();
        this.next = next;
    }

    @Override
    public void progress(Phase phase, long done, long total) {
        if (nanos.getAsLong() - begin > budget.toNanos()) {
            throw new Exceeded("it took longer than " + budget
                    + ", the limit of a job; its image registry may be slow, or the image too large:"
                    + " see --faasimage.job-budget");
        }
        next.progress(phase, done, total);
    }
}
