package io.faasimage.registry.images.job;

import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.stream.Deadline;
import java.time.Duration;

/**
 * The time that one run of a job may take. When it is over, the thread of the job is interrupted, which ends waiting
 * for a registry, and the next step of another thread fails. Started and ended by the thread of the job; accepts
 * progress from any.
 */
final class JobBudget implements ProgressListener, AutoCloseable {
    /** A run took longer than it may. */
    static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Exceeded(Duration budget, Throwable cause) {
            super(
                    "it took longer than " + budget
                            + ", the limit of a job; its image registry may be slow, or the image too large:"
                            + " see --faasimage.job-budget; POST /v1/images/{digest}/refactor tries again",
                    cause);
        }
    }

    /** Ends the work of a thread other than that of the job. */
    private static final class Over extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Over() {
            super("the time of the job is over");
        }
    }

    private final Duration budget;
    private final Deadline deadline;
    private final long begin = System.nanoTime();
    private final ProgressListener next;

    /** The budget begins. */
    JobBudget(Duration budget, ProgressListener next) {
        this.budget = budget;
        this.deadline = Deadline.in(budget);
        this.next = next;
    }

    @Override
    public void progress(Phase phase, long done, long total) {
        if (System.nanoTime() - begin > budget.toNanos()) {
            throw new Over();
        }
        next.progress(phase, done, total);
    }

    /** The run is at the point from which it is not ended any more. */
    void end() {
        if (deadline.end()) {
            throw new Exceeded(budget, new Over());
        }
    }

    /** Throws an exception if {@code failure} is due to the time that the run took. */
    void check(Throwable failure) {
        if (deadline.end() || isOver(failure)) {
            throw new Exceeded(budget, failure);
        }
    }

    private static boolean isOver(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof Over) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        deadline.close();
    }
}
