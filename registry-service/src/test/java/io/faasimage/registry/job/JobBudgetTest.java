package io.faasimage.registry.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.refactor.ProgressListener.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How a job ends that takes too long. */
class JobBudgetTest {
    @Test
    void aRunEndsWithTheFirstStepAfterItsTime() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE);
        List<Phase> passedOn = new ArrayList<>();
        JobBudget budget = new JobBudget(Duration.ofSeconds(2), now::get, (phase, done, total) -> passedOn.add(phase));
        budget.progress(Phase.READ, 1, 2);
        now.addAndGet(Duration.ofSeconds(2).toNanos());
        budget.progress(Phase.FLATTEN, 1, 2);
        now.incrementAndGet();
        assertThatThrownBy(() -> budget.progress(Phase.PACK, 1, 2))
                .hasMessageContaining("PT2S", "--faasimage.job-budget")
                .satisfies(e -> assertThat(JobBudget.Exceeded.causes(new IOException(e)))
                        .isTrue());
        assertThat(passedOn).containsExactly(Phase.READ, Phase.FLATTEN);
    }
}
