package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.registry.platform.span.FinishedSpan;
import io.faasimage.registry.platform.span.Spans;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times of one job's phases, each from its first step to that of the next; exported as spans when the job is over.
 * Thread-safe.
 */
final class JobSpans implements ProgressListener, AutoCloseable {
    private final Spans spans;
    private final JobInfo job;
    private final InstantSource clock;
    private final ProgressListener next;
    private final Instant begin;
    private final List<FinishedSpan> phases = new ArrayList<>();
    private @Nullable Phase phase;
    private @Nullable String current;
    private Instant since;
    private @Nullable String failure;

    /** A job begins; {@code next} receives its progress, too. */
    JobSpans(Spans spans, JobInfo job, InstantSource clock, ProgressListener next) {
        this.spans = spans;
        this.job = job;
        this.clock = clock;
        this.next = next;
        begin = clock.instant();
        since = begin;
    }

    @Override
    public void progress(Phase now, long done, long total) {
        enter(now);
        next.progress(now, done, total);
    }

    /** Phases overlap a little; one that is over does not begin again. */
    private synchronized void enter(Phase now) {
        if (phase == null || now.compareTo(phase) > 0) {
            phase = now;
            step(now.name().toLowerCase(Locale.ROOT));
        }
    }

    private void step(@Nullable String name) {
        Instant now = clock.instant();
        if (current != null) {
            phases.add(new FinishedSpan(current, since, now));
        }
        current = name;
        since = now;
    }

    /** The result is being stored. */
    synchronized void publishes() {
        step("publish");
    }

    /** The job has failed. */
    synchronized void failed(String reason) {
        failure = reason;
    }

    @Override
    public synchronized void close() {
        step(null);
        Map<String, Object> attributes = Map.of("faasimage.job", job.id(), "faasimage.image", job.image());
        spans.traceId("job " + job.id())
                .ifPresent(traceId ->
                        spans.export(traceId, new FinishedSpan("refactor", begin, since, attributes, failure, phases)));
    }
}
