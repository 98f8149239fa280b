package io.faasimage.registry.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.refactor.ProgressListener;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The span of one job and, below it, one of each phase: from its first step to that of the next. Thread-safe. */
final class JobSpans implements ProgressListener, AutoCloseable {
    private final Spans spans;
    private final Span job;
    private final ProgressListener next;
    private @Nullable Phase phase;
    private Span current = Span.NONE;

    /** A job begins; {@code next} hears its progress, too. */
    JobSpans(Spans spans, JobInfo job, ProgressListener next) {
        this.spans = spans;
        this.next = next;
        this.job = spans.begin("refactor", Optional.empty());
        this.job.set("faasimage.job", job.id()).set("faasimage.image", job.image());
    }

    @Override
    public void progress(Phase now, long done, long total) {
        if (spans.isOn()) {
            enter(now);
        }
        next.progress(now, done, total);
    }

    /** Phases overlap a little; one that is over does not begin again. */
    private synchronized void enter(Phase now) {
        if (phase == null || now.compareTo(phase) > 0) {
            current.close();
            phase = now;
            current = spans.begin(now.name().toLowerCase(Locale.ROOT), job.context());
        }
    }

    /** What was made is being stored. */
    synchronized void publishes() {
        current.close();
        current = spans.begin("publish", job.context());
    }

    /** The job has failed. */
    void failed(String reason) {
        job.failed(reason);
    }

    @Override
    public synchronized void close() {
        current.close();
        job.close();
    }
}
