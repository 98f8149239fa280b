package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.faasimage.api.job.JobInfo;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.registry.RecordedSpans;
import io.faasimage.registry.platform.span.FinishedSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class JobSpansTest {
    private static final JobInfo JOB =
            new JobInfo("1", "sha256:" + "0".repeat(64), JobInfo.State.RUNNING, "", 0, 0, null, Instant.EPOCH, null);

    private final RecordedSpans exported = new RecordedSpans();
    private final List<Phase> passedOn = new ArrayList<>();
    private final AtomicLong seconds = new AtomicLong();

    private JobSpans begin() {
        return new JobSpans(
                exported,
                JOB,
                () -> Instant.ofEpochSecond(seconds.incrementAndGet()),
                (phase, done, total) -> passedOn.add(phase));
    }

    private FinishedSpan only() {
        assertThat(exported.of("job 1")).hasSize(1);
        return exported.of("job 1").getFirst();
    }

    @Test
    void phasesFollowOneAnotherBelowTheJob() {
        try (JobSpans spans = begin()) {
            spans.progress(Phase.READ, 0, 2);
            spans.progress(Phase.FLATTEN, 0, 1);
            spans.progress(Phase.READ, 2, 2);
            spans.publishes();
        }
        FinishedSpan job = only();
        assertThat(job)
                .extracting(FinishedSpan::name, FinishedSpan::begin, FinishedSpan::end, FinishedSpan::failure)
                .containsExactly("refactor", Instant.ofEpochSecond(1), Instant.ofEpochSecond(5), null);
        assertThat(job.children())
                .extracting(FinishedSpan::name, FinishedSpan::begin, FinishedSpan::end)
                .containsExactly(
                        tuple("read", Instant.ofEpochSecond(2), Instant.ofEpochSecond(3)),
                        tuple("flatten", Instant.ofEpochSecond(3), Instant.ofEpochSecond(4)),
                        tuple("publish", Instant.ofEpochSecond(4), Instant.ofEpochSecond(5)));
        assertThat(passedOn).containsExactly(Phase.READ, Phase.FLATTEN, Phase.READ);
    }

    @Test
    void aFailedJobSaysWhy() {
        try (JobSpans spans = begin()) {
            spans.failed("no layers");
        }
        assertThat(only().failure()).isEqualTo("no layers");
        assertThat(only().children()).isEmpty();
    }
}
