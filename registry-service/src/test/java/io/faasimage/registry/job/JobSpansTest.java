package io.faasimage.registry.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import io.faasimage.refactor.ProgressListener.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobSpansTest {
    private static final TraceParent JOB = new TraceParent("a".repeat(32), "b".repeat(16), true);

    private final List<String> noted = new ArrayList<>();
    private final List<Phase> passedOn = new ArrayList<>();

    /** Notes the spans that are reported. */
    private final class ToldSpans implements Spans {
        @Override
        public Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at) {
            noted.add((parent.equals(Optional.of(JOB)) ? "  " : "") + name);
            return new Span() {
                private boolean ended;

                @Override
                public Optional<TraceParent> context() {
                    return Optional.of(JOB);
                }

                @Override
                public void end(Instant end) {
                    if (!ended) {
                        ended = true;
                        noted.add("end of " + name);
                    }
                }
            };
        }

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    @Test
    void phasesFollowOneAnotherBelowTheJob() {
        JobInfo job = new JobInfo(
                "1", "sha256:" + "0".repeat(64), JobInfo.State.RUNNING, "", 0, 0, null, Instant.EPOCH, null);
        try (JobSpans spans = new JobSpans(new ToldSpans(), job, (phase, done, total) -> passedOn.add(phase))) {
            spans.progress(Phase.READ, 0, 2);
            spans.progress(Phase.FLATTEN, 0, 1);
            spans.progress(Phase.READ, 2, 2);
            spans.publishes();
        }
        assertThat(noted)
                .containsExactly(
                        "refactor",
                        "  read",
                        "end of read",
                        "  flatten",
                        "end of flatten",
                        "  publish",
                        "end of publish",
                        "end of refactor");
        assertThat(passedOn).containsExactly(Phase.READ, Phase.FLATTEN, Phase.READ);
    }
}
