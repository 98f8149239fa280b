package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.blob.BlobsDownException;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Tests of jobs that fail for a reason that may pass: the failures that are retried, the number of retries, and the
 * pauses.
 */
class JobRetriesTest extends SharedServices {
    /** The service that tries again twice and not again later. */
    private static TestService withTwoRetries() {
        return service("--faasimage.job-retries=2", "--faasimage.job-retry-pause=10ms");
    }

    /** The service that tries nothing again at once, but later. */
    static TestService withLaterRetries() {
        return service(
                "--faasimage.job-retries=0", "--faasimage.job-retry-pause=10ms", "--faasimage.job-retry-failed=100ms");
    }

    @Test
    void aStoreThatIsDownLeavesTheRetriesAndOneThatRefusesUsesThem() throws Exception {
        TestService service = withTwoRetries();
        RegisteredImage image = TestJobs.register(service, "outage");
        AtomicInteger runs = new AtomicInteger();
        service.refactoring().interfere(running -> {
            int run = runs.incrementAndGet();
            if (run <= 4) {
                throw new BlobsDownException("the bucket is down", new IOException());
            }
            if (run <= 6) {
                throw TestJobs.registryIsDown();
            }
        });
        assertThat(TestJobs.endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(runs).hasValue(7);
        runs.set(0);
        service.refactoring().interfere(running -> {
            runs.incrementAndGet();
            throw BlobsDownException.refused("the credentials may not write", new IOException());
        });
        JobInfo refused =
                service.awaitEnd(service.client().refactor(image.digest()).id());
        assertThat(refused.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(refused.error()).contains("may not write");
        assertThat(runs).hasValue(3);
    }

    @Test
    void aDatabaseThatIsAwayWhileAJobRunsFailsNoJob() throws Exception {
        TestService service = withLaterRetries();
        RegisteredImage image = TestJobs.register(service, "hiccup");
        AtomicInteger runs = new AtomicInteger();
        service.refactoring().interfere(running -> {
            if (runs.incrementAndGet() <= 3) {
                throw new DataAccessResourceFailureException("the connection was closed");
            }
        });
        assertThat(TestJobs.endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(runs).hasValue(4);
    }

    @Test
    void anImageThatFailedForAReasonThatPassesIsQueuedAgain() throws Exception {
        TestService service = withLaterRetries();
        RegisteredImage image = TestJobs.register(service, "later");
        AtomicInteger runs = new AtomicInteger();
        service.refactoring().interfere(running -> {
            if (runs.incrementAndGet() == 1) {
                throw TestJobs.registryIsDown();
            }
        });
        assertThat(TestJobs.endOfFirst(service, image).state()).isEqualTo(JobInfo.State.FAILED);
        Wait.value(() -> service.client().image(image.digest()).state(), state -> state == ImageState.PLANNED);
        assertThat(service.client().jobs())
                .filteredOn(job -> job.image().equals(image.digest().toString()))
                .hasSize(2);
    }

    @Test
    void aFailureThatMayPassIsTriedAgain() throws Exception {
        TestService service = withTwoRetries();
        RegisteredImage image = TestJobs.register(service, "down");
        AtomicInteger runs = new AtomicInteger();
        service.refactoring().interfere(running -> {
            runs.incrementAndGet();
            throw new RefactorException(RefactorException.Kind.UNAVAILABLE, "the registry says \0");
        });
        assertThat(TestJobs.endOfFirst(service, image).state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(runs).hasValue(3);
        service.refactoring().interfere(running -> {
            if (runs.incrementAndGet() < 6) {
                throw TestJobs.registryIsDown();
            }
        });
        JobInfo later =
                service.awaitEnd(service.client().refactor(image.digest()).id());
        assertThat(later.state()).isEqualTo(JobInfo.State.DONE);
        assertThat(later.error()).isNull();
        assertThat(service.client().image(image.digest()).error()).isNull();
    }

    @Test
    void aJobThatWaitsToBeTriedAgainSaysWhyAndARequestStartsItAtOnce() throws Exception {
        TestService service = service("--faasimage.job-retry-pause=1m");
        RegisteredImage image = TestJobs.register(service, "waiting");
        service.refactoring().interfere(running -> {
            throw TestJobs.registryIsDown();
        });
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
        JobInfo waiting = service.await(job.id(), info -> info.error() != null);
        assertThat(waiting.state()).isEqualTo(JobInfo.State.QUEUED);
        assertThat(waiting.error()).contains("registry is down");
        ImageInfo info = service.client().image(image.digest());
        assertThat(info.state()).isEqualTo(ImageState.REFACTORING);
        assertThat(info.error()).contains("registry is down");
        service.refactoring().interfere(null);
        assertThat(service.client().refactor(image.digest()).id()).isEqualTo(job.id());
        long start = System.nanoTime();
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(40));
    }
}
