package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.refactor.ProgressListener.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the end of a job that takes too long. */
@Timeout(30)
class JobBudgetTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    @Test
    void aRunThatWaitsIsInterruptedAndAStepOfAnotherThreadFails() {
        List<Phase> passedOn = new ArrayList<>();
        try (JobBudget budget = new JobBudget(Duration.ofMillis(50), (phase, _, _) -> passedOn.add(phase))) {
            // It makes no progress that could be refused.
            assertThatThrownBy(NEVER::await).isInstanceOf(InterruptedException.class);
            assertThatThrownBy(() -> budget.progress(Phase.PACK, 1, 2))
                    .satisfies(over -> assertThatThrownBy(() -> budget.check(new IOException(over)))
                            .isInstanceOf(JobBudget.Exceeded.class)
                            .hasMessageContainingAll("PT0.05S", "--faasimage.job-budget"));
            assertThatThrownBy(budget::end).isInstanceOf(JobBudget.Exceeded.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        assertThat(passedOn).isEmpty();
    }

    @Test
    void aRunInTimeIsLeftAlone() throws Exception {
        List<Phase> passedOn = new ArrayList<>();
        try (JobBudget budget = new JobBudget(Duration.ofHours(1), (phase, _, _) -> passedOn.add(phase))) {
            budget.progress(Phase.READ, 1, 2);
            budget.check(new IOException("the disk is full"));
            budget.end();
        }
        assertThat(passedOn).containsExactly(Phase.READ);
    }
}
