package io.faasimage.registry.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.TestRefactoring;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Jobs that their service lost: it was stopped or killed, or the database did not take what it wrote. */
class JobRecoveryTest {
    @TempDir
    Path data;

    @Test
    void aServiceThatIsStoppedGivesItsJobBackAndThatIsNoAttempt() throws Exception {
        RegisteredImage image;
        JobInfo job;
        try (TestService service = TestService.start(data)) {
            image = TestJobs.register(service, "stopped");
            service.refactoring().interfere(running -> TestJobs.waitFor(new CountDownLatch(1)));
            job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            service.await(job.id(), info -> info.total() == 2);
        }
        TestRefactoring sameAsBefore = new TestRefactoring();
        sameAsBefore.content(image.digest(), List.of(TestJobs.CONTENT));
        try (TestService service = TestService.start(data, sameAsBefore)) {
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(1);
            assertThat(service.client().events(Map.of("subject", job.id())).items())
                    .anyMatch(event -> event.text().contains("the service was stopped while it ran"));
        }
    }

    @Test
    void whoLostAJobToAnotherServiceChangesNothingOfItAndADeadOnesJobGoesOn() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = TestJobs.register(service, "lost");
            JdbcClient jdbc = service.part(JdbcClient.class);
            CountDownLatch lost = new CountDownLatch(1);
            service.refactoring().interfere(running -> {
                if (lost.getCount() > 0) {
                    jdbc.sql("INSERT INTO replicas (id, beats) VALUES ('other', 1)")
                            .update();
                    jdbc.sql("UPDATE jobs SET owner = 'other', claim = 'theirs'")
                            .update();
                    lost.countDown();
                }
            });
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            TestJobs.waitFor(lost);
            Wait.until(
                    "the job",
                    () -> Objects.requireNonNull(data.resolve("plans").toFile().list()).length > 0);
            assertThat(service.client().job(job.id()).state()).isEqualTo(JobInfo.State.RUNNING);
            assertThat(service.client().image(image.digest()).plan()).isNull();
            jdbc.sql("DELETE FROM replicas WHERE id = 'other'").update();
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(2);
        }
    }

    @Test
    void anErrorAndAnEndThatCannotBeWrittenLeaveTheWorkerAlive() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = TestJobs.register(service, "error");
            JdbcClient jdbc = service.part(JdbcClient.class);
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                runs.incrementAndGet();
                jdbc.sql("ALTER TABLE jobs RENAME COLUMN error TO hidden").update();
                throw new AssertionError("a fault of the engine");
            });
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            Wait.until("the job", () -> runs.get() == 1 && column(jdbc, "hidden"));
            service.refactoring().interfere(null);
            LockSupport.parkNanos(500_000_000);
            jdbc.sql("ALTER TABLE jobs RENAME COLUMN hidden TO error").update();
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        }
    }

    private static boolean column(JdbcClient jdbc, String name) {
        return jdbc.sql("SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'jobs' AND column_name = ?")
                        .param(name)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @Test
    void aJobThatIsMarkedAsRunHereAndIsNotRunsAgain() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = TestJobs.register(service, "claimed");
            JobInfo job = service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.topChain(), 5))
                    .id());
            // As a claim does whose answer is lost.
            service.part(JdbcClient.class)
                    .sql("UPDATE jobs SET state = 'RUNNING', finished = NULL, claim = 'lost'")
                    .update();
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(2);
        }
    }

    @Test
    void whatAKilledServiceLeftIsRunAgainOrGivenUpAndItsLitterRemoved() throws Exception {
        RegisteredImage image;
        JobInfo done;
        JobInfo other;
        try (TestService service = TestService.start(data)) {
            image = TestJobs.register(service, "killed");
            done = service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.topChain(), 5))
                    .id());
            other = service.awaitEnd(service.client().refactor(image.digest()).id());
            JdbcClient jdbc = service.part(JdbcClient.class);
            jdbc.sql("UPDATE jobs SET state = 'RUNNING', finished = NULL WHERE id = ?")
                    .param(done.id())
                    .update();
            jdbc.sql("UPDATE jobs SET state = 'RUNNING', finished = NULL, attempts = 3 WHERE id = ?")
                    .param(other.id())
                    .update();
        }
        Files.createDirectories(data.resolve("work/left/deep"));
        Files.writeString(data.resolve("work/left/deep/file"), "half");
        Files.writeString(data.resolve("packs/.tmp-left"), "half");
        TestRefactoring sameAsBefore = new TestRefactoring();
        sameAsBefore.content(image.digest(), List.of(TestJobs.CONTENT));
        try (TestService service = TestService.start(data, sameAsBefore)) {
            assertThat(service.awaitEnd(done.id()).state()).isEqualTo(JobInfo.State.DONE);
            JobInfo givenUp = service.awaitEnd(other.id());
            assertThat(givenUp.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(givenUp.error()).contains("died 3 times");
            assertThat(service.client().image(image.digest()).plan()).isNotNull();
            assertThat(data.resolve("packs/.tmp-left")).doesNotExist();
            assertThat(data.resolve("work/left")).doesNotExist();
        }
    }
}
