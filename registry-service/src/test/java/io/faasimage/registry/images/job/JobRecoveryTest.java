package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tests of jobs that their service lost: it was stopped or killed, or the database did not take its writes. */
class JobRecoveryTest extends SharedServices {
    /** The default; these tests stop their service. */
    private static final String OWN = "--faasimage.job-attempts=3";

    @Test
    void aServiceThatIsStoppedGivesItsJobBackAndThatIsNoAttempt() throws Exception {
        RegisteredImage image = TestJobs.register(service(OWN), "stopped");
        service(OWN).refactoring().interfere(running -> TestJobs.waitFor(new CountDownLatch(1)));
        JobInfo job = service(OWN).client().postTrace(TestService.trace(image.topChain(), 5));
        service(OWN).await(job.id(), info -> info.total() == 2);
        service(OWN).close();
        service(OWN).refactoring().interfere(null);
        TestService service = restarted(OWN);
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(1);
        assertThat(service.client().events(Map.of("subject", job.id())).items())
                .anyMatch(event -> event.text().contains("the service was stopped while it ran"));
    }

    @Test
    void whoLostAJobToAnotherServiceChangesNothingOfItAndADeadOnesJobGoesOn() throws Exception {
        TestService service = service(OWN);
        RegisteredImage image = TestJobs.register(service, "lost");
        JdbcClient jdbc = service.part(JdbcClient.class);
        int before = plans(service);
        CountDownLatch lost = new CountDownLatch(1);
        service.refactoring().interfere(running -> {
            if (lost.getCount() > 0) {
                jdbc.sql("INSERT INTO replicas (id, beats) VALUES ('other', 1)").update();
                jdbc.sql("UPDATE jobs SET owner = 'other', claim = 'theirs' WHERE state = 'RUNNING'")
                        .update();
                lost.countDown();
            }
        });
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
        TestJobs.waitFor(lost);
        Wait.until("the job", () -> plans(service) > before);
        assertThat(service.client().job(job.id()).state()).isEqualTo(JobInfo.State.RUNNING);
        assertThat(service.client().image(image.digest()).plan()).isNull();
        jdbc.sql("DELETE FROM replicas WHERE id = 'other'").update();
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(2);
    }

    private static int plans(TestService service) {
        String[] plans = service.data().resolve("plans").toFile().list();
        return plans == null ? 0 : plans.length;
    }

    @Test
    void anErrorAndAnEndThatCannotBeWrittenLeaveTheWorkerAlive() throws Exception {
        TestService service = service(OWN);
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

    private static boolean column(JdbcClient jdbc, String name) {
        return jdbc.sql("SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'jobs' AND column_name = ?")
                        .param(name)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @Test
    void aJobThatIsMarkedAsRunHereAndIsNotRunsAgain() throws Exception {
        TestService service = service(OWN);
        RegisteredImage image = TestJobs.register(service, "claimed");
        JobInfo job = service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
        // As a claim does whose answer is lost.
        service.part(JdbcClient.class)
                .sql("UPDATE jobs SET state = 'RUNNING', finished = NULL, claim = 'lost' WHERE id = ?")
                .param(job.id())
                .update();
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(2);
    }

    @Test
    void whatAKilledServiceLeftIsRunAgainOrGivenUpAndItsLitterRemoved() throws Exception {
        RegisteredImage image = TestJobs.register(service(OWN), "killed");
        JobInfo done = TestJobs.endOfFirst(service(OWN), image);
        JobInfo other = service(OWN)
                .awaitEnd(service(OWN).client().refactor(image.digest()).id());
        JdbcClient jdbc = service(OWN).part(JdbcClient.class);
        jdbc.sql("UPDATE jobs SET state = 'RUNNING', finished = NULL WHERE id = ?")
                .param(done.id())
                .update();
        jdbc.sql("UPDATE jobs SET state = 'RUNNING', finished = NULL, attempts = 3 WHERE id = ?")
                .param(other.id())
                .update();
        service(OWN).close();
        Path data = service(OWN).data();
        Files.createDirectories(data.resolve("work/left/deep"));
        Files.writeString(data.resolve("work/left/deep/file"), "half");
        Files.writeString(data.resolve("packs/.tmp-left"), "half");
        TestService service = restarted(OWN);
        assertThat(service.awaitEnd(done.id()).state()).isEqualTo(JobInfo.State.DONE);
        JobInfo givenUp = service.awaitEnd(other.id());
        assertThat(givenUp.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(givenUp.error()).contains("died 3 times");
        assertThat(service.client().image(image.digest()).plan()).isNotNull();
        assertThat(data.resolve("packs/.tmp-left")).doesNotExist();
        assertThat(data.resolve("work/left")).doesNotExist();
    }
}
