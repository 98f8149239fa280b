package io.faasimage.registry.images.job;

import io.faasimage.refactor.ProgressListener;
import io.faasimage.registry.images.job.JobClaims.Taken;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A writer of one job's progress to the database, a few times a second. Thread-safe. */
final class JobProgress implements ProgressListener {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final JobClaims jobs;
    private final Taken job;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private volatile @Nullable Phase last;

    JobProgress(JobClaims jobs, Taken job) {
        this.jobs = jobs;
        this.job = job;
    }

    @Override
    public void progress(Phase phase, long done, long total) {
        long now = System.nanoTime();
        long due = next.get();
        if (phase == last && now - due < 0) {
            return;
        }
        if (next.compareAndSet(due, now + INTERVAL_NANOS)) {
            last = phase;
            jobs.progress(job, phase.name().toLowerCase(Locale.ROOT), done, total);
        }
    }
}
