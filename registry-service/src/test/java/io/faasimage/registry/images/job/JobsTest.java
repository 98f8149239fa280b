package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.trace.TraceRow;
import io.faasimage.registry.store.trace.TraceTable;
import io.faasimage.testing.Wait;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** The life of an image and of its jobs: coalescing, failure and removal. */
class JobsTest extends SharedServices {
    @Test
    void tracesThatComeWhileAJobRunsMakeOneMoreJob() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "busy");
        assertThat(service.client().image(image.digest()).state()).isEqualTo(ImageState.UNTRACED);
        assertThatThrownBy(() -> service.client().refactor(image.digest()))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(409))
                .hasMessageContaining("no trace yet");
        CountDownLatch goOn = new CountDownLatch(1);
        service.refactoring().interfere(running -> TestJobs.waitFor(goOn));
        byte[] trace = TestService.trace(image.topChain(), 5);
        JobInfo first = service.client().postTrace(trace);
        service.await(first.id(), job -> job.state() == JobInfo.State.RUNNING && job.total() == 2);
        assertThat(service.client().image(image.digest()).state()).isEqualTo(ImageState.REFACTORING);
        JobInfo second = service.client().postTrace(trace);
        JobInfo third = service.client().postTrace(trace);
        assertThat(second.id()).isNotEqualTo(first.id()).isEqualTo(third.id());
        goOn.countDown();
        assertThat(service.awaitEnd(first.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(service.awaitEnd(second.id()).state()).isEqualTo(JobInfo.State.DONE);
        ImageInfo info = service.client().image(image.digest());
        assertThat(info.state()).isEqualTo(ImageState.PLANNED);
        assertThat(info.traceRuns()).isEqualTo(3);
        assertThat(service.client().jobs())
                .filteredOn(job -> job.image().equals(image.digest().toString()))
                .hasSize(2);
    }

    @Test
    void anImageIsDescribedAsItWasAtOneMoment() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "moment");
        ImageTable images = service.part(ImageTable.class);
        TraceTable traces = service.part(TraceTable.class);
        TransactionOperations transaction = service.part(TransactionOperations.class);
        AtomicBoolean over = new AtomicBoolean();
        Thread changes = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                transaction.executeWithoutResult(_ -> {
                    traces.put(image.topChain(), new TraceRow(Digest.of(new byte[1]), 1, 0, 1));
                    images.refactoring(image.digest());
                });
                transaction.executeWithoutResult(_ -> {
                    traces.remove(image.topChain());
                    images.untraced(image.digest());
                });
            }
        });
        Set<ImageState> seen = EnumSet.noneOf(ImageState.class);
        try {
            for (int read = 0; read < 100; read++) {
                ImageInfo info = service.client().image(image.digest());
                seen.add(info.state());
                assertThat(info.state())
                        .isEqualTo(info.traceRuns() == 0 ? ImageState.UNTRACED : ImageState.REFACTORING);
            }
        } finally {
            over.set(true);
            changes.join();
        }
        assertThat(seen).containsExactly(ImageState.UNTRACED, ImageState.REFACTORING);
    }

    @Test
    void aFailedJobSaysWhyAndTheEarlierPlanStays() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "failing");
        JobInfo good = service.client().postTrace(TestService.trace(image.topChain(), 5));
        service.awaitEnd(good.id());
        String plan = service.client().image(image.digest()).plan();
        service.refactoring().interfere(running -> {
            throw new RefactorException(RefactorException.Kind.UNAUTHORIZED, "the image's registry is locked \0");
        });
        JobInfo bad = service.awaitEnd(service.client().refactor(image.digest()).id());
        assertThat(bad.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(bad.error()).contains("registry is locked");
        ImageInfo info = service.client().image(image.digest());
        assertThat(info.state()).isEqualTo(ImageState.FAILED);
        assertThat(info.error()).contains("registry is locked");
        assertThat(info.plan()).isEqualTo(plan);
        service.refactoring().interfere(running -> {
            throw new IllegalStateException("a fault of the engine");
        });
        JobInfo fault =
                service.awaitEnd(service.client().refactor(image.digest()).id());
        assertThat(fault.error()).contains("see its log");
        service.refactoring().interfere(null);
        service.awaitEnd(service.client().refactor(image.digest()).id());
        assertThat(service.client().image(image.digest()).state()).isEqualTo(ImageState.PLANNED);
        awaitNoWork(service);
    }

    /** A job is over before its files are gone. */
    private static void awaitNoWork(TestService service) {
        Wait.until("the work of jobs that ended to go", () -> {
            String[] left = service.data().resolve("work").toFile().list();
            return left == null || left.length == 0;
        });
    }

    @Test
    void aLibraryMayHaveAnyName() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "odd");
        service.refactoring().library(new Library("node", "left\0pad", "1\0"));
        assertThat(TestJobs.endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(service.client().image(image.digest()).libraries())
                .extracting(ImageInfo.LibraryInfo::name)
                .containsExactly("leftpad");
    }

    @Test
    void anImageThatIsRemovedWhileItsJobRunsStaysRemoved() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "removed");
        CountDownLatch goOn = new CountDownLatch(1);
        service.refactoring().interfere(running -> TestJobs.waitFor(goOn));
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
        service.await(job.id(), info -> info.total() == 2);
        service.client().deleteFunction("removed", true);
        goOn.countDown();
        JobInfo ended = service.awaitEnd(job.id());
        assertThat(ended.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(ended.error()).contains("removed while the job ran");
        assertThat(service.client().chain(image.topChain())).isEmpty();
        assertThat(service.client().images())
                .extracting(ImageInfo::digest)
                .doesNotContain(image.digest().toString());
    }

    @Test
    void anInterruptedThreadDoesNotCloseTheDatabase() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "interrupted");
        service.refactoring().interfere(running -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        });
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
        assertThat(service.awaitEnd(job.id()).error()).contains("interrupted");
        JdbcClient jdbc = service.part(JdbcClient.class);
        Thread.currentThread().interrupt();
        jdbc.sql("UPDATE jobs SET phase = 'seen' WHERE id = ?").param(job.id()).update();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(service.client().job(job.id()).phase()).isEqualTo("seen");
    }

    @Test
    void aTraceThatComesDuringAPurgeIsOfTheImageOrRefused() throws Exception {
        TestService service = service();
        RegisteredImage image = service.images().push("registry.test/purged:1", "purged");
        FunctionRequest request = new FunctionRequest("purged", "registry.test/purged:1", null, null);
        byte[] trace = TestService.trace(image.topChain(), 3);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                service.client().register(request);
                Future<Integer> traced = threads.submit(() -> service.send(service.request("/v1/traces")
                                .header("Content-Type", "application/octet-stream")
                                .POST(BodyPublishers.ofByteArray(trace)))
                        .statusCode());
                service.client().deleteFunction("purged", true);
                assertThat(traced.get()).isIn(202, 404);
                service.client().register(request);
                assertThat(service.client().image(image.digest()).traceRuns()).isZero();
                service.client().deleteFunction("purged", true);
            }
        }
    }

    @Test
    void theSpanOfAJobSaysThatItCouldNotPublish() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "unpublished");
        JdbcClient jdbc = service.part(JdbcClient.class);
        service.refactoring()
                .interfere(running ->
                        jdbc.sql("ALTER TABLE plans RENAME TO hidden").update());
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
        JobInfo ended = service.awaitEnd(job.id());
        jdbc.sql("ALTER TABLE hidden RENAME TO plans").update();
        assertThat(ended.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(service.spans().of("job " + job.id()))
                .singleElement()
                .satisfies(span -> assertThat(span.failure()).contains("plans"));
    }
}
