package io.faasimage.registry.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestRefactoring;
import io.faasimage.registry.TestService;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobsDownException;
import io.faasimage.registry.image.RegisteredImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The life of an image and of its jobs: coalescing, failure, removal, and what a killed service left behind. */
class JobsTest {
    private static final TestContent CONTENT = TestContent.of(11, 50_000, Segment.FUNC, true);

    private static final List<String> FOLDERS = List.of("packs", "metadata", "plans", "traces");

    @TempDir
    Path data;

    static RegisteredImage register(TestService service, String name) throws IOException {
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.refactoring().content(image.digest(), List.of(CONTENT));
        service.client().register(new FunctionRequest(name, "registry.test/" + name + ":1", null, null));
        return image;
    }

    private static void waitFor(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the test did not go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Test
    void tracesThatComeWhileAJobRunsMakeOneMoreJob() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "busy");
            assertThat(service.client().image(image.digest()).state()).isEqualTo(ImageState.UNTRACED);
            assertThatThrownBy(() -> service.client().refactor(image.digest()))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.status()).isEqualTo(409))
                    .hasMessageContaining("no trace yet");
            CountDownLatch goOn = new CountDownLatch(1);
            service.refactoring().interfere(running -> waitFor(goOn));
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
            assertThat(service.client().jobs()).hasSize(2);
            try (Stream<Path> traces = Files.list(data.resolve("traces"))) {
                assertThat(traces).hasSize(1);
            }
        }
    }

    @Test
    void aFailedJobSaysWhyAndTheEarlierPlanStays() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "failing");
            JobInfo good = service.client().postTrace(TestService.trace(image.topChain(), 5));
            service.awaitEnd(good.id());
            String plan = service.client().image(image.digest()).plan();
            service.refactoring().interfere(running -> {
                throw new RefactorException(RefactorException.Kind.UNAUTHORIZED, "the image's registry is locked \0");
            });
            JobInfo bad =
                    service.awaitEnd(service.client().refactor(image.digest()).id());
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
            awaitNoWork();
        }
    }

    @Test
    void aLibraryMayHaveAnyName() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "odd");
            service.refactoring().library(new Library("node", "left\0pad", "1\0"));
            assertThat(endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(service.client().image(image.digest()).libraries())
                    .extracting(ImageInfo.LibraryInfo::name)
                    .containsExactly("leftpad");
        }
    }

    /** A job is over before its files are gone. */
    private void awaitNoWork() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String[] left = data.resolve("work").toFile().list();
        while (left != null && left.length > 0) {
            assertThat(System.nanoTime())
                    .as("work of jobs that ended: %s", List.of(left))
                    .isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            left = data.resolve("work").toFile().list();
        }
    }

    private TestService startWithTwoRetries(String pause) {
        return TestService.start(data, "--faasimage.job-retries=2", "--faasimage.job-retry-pause=" + pause);
    }

    private static RefactorException registryIsDown() {
        return new RefactorException(RefactorException.Kind.UNAVAILABLE, "the image's registry is down");
    }

    /** Posts a trace of an image, and awaits the end of the job that comes of it. */
    private static JobInfo endOfFirst(TestService service, RegisteredImage image) throws IOException {
        return service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
    }

    @Test
    void aStoreThatIsDownLeavesTheRetriesAndOneThatRefusesUsesThem() throws Exception {
        try (TestService service = startWithTwoRetries("10ms")) {
            RegisteredImage image = register(service, "outage");
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                int run = runs.incrementAndGet();
                if (run <= 4) {
                    throw new BlobsDownException("the bucket is down", new IOException());
                }
                if (run <= 6) {
                    throw registryIsDown();
                }
            });
            assertThat(endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
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
    }

    @Test
    void aDatabaseThatIsAwayWhileAJobRunsFailsNoJob() throws Exception {
        try (TestService service =
                TestService.start(data, "--faasimage.job-retries=0", "--faasimage.job-retry-pause=10ms")) {
            RegisteredImage image = register(service, "hiccup");
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                if (runs.incrementAndGet() <= 3) {
                    throw new DataAccessResourceFailureException("the connection was closed");
                }
            });
            assertThat(endOfFirst(service, image).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(runs).hasValue(4);
        }
    }

    @Test
    void anImageThatFailedForAReasonThatPassesIsQueuedAgain() throws Exception {
        try (TestService service = TestService.start(
                data,
                "--faasimage.job-retries=0",
                "--faasimage.job-retry-pause=50ms",
                "--faasimage.job-retry-failed=100ms")) {
            RegisteredImage image = register(service, "later");
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                if (runs.incrementAndGet() == 1) {
                    throw registryIsDown();
                }
            });
            assertThat(endOfFirst(service, image).state()).isEqualTo(JobInfo.State.FAILED);
            while (service.client().image(image.digest()).state() != ImageState.PLANNED) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertThat(service.client().jobs()).hasSize(2);
        }
    }

    @Test
    void aFailureThatMayPassIsTriedAgain() throws Exception {
        try (TestService service = startWithTwoRetries("50ms")) {
            RegisteredImage image = register(service, "down");
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                runs.incrementAndGet();
                throw new RefactorException(RefactorException.Kind.UNAVAILABLE, "the registry says \0");
            });
            assertThat(endOfFirst(service, image).state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(runs).hasValue(3);
            service.refactoring().interfere(running -> {
                if (runs.incrementAndGet() < 6) {
                    throw registryIsDown();
                }
            });
            JobInfo later =
                    service.awaitEnd(service.client().refactor(image.digest()).id());
            assertThat(later.state()).isEqualTo(JobInfo.State.DONE);
            assertThat(later.error()).isNull();
            assertThat(service.client().image(image.digest()).error()).isNull();
        }
    }

    @Test
    void aJobThatWaitsToBeTriedAgainSaysWhyAndARequestStartsItAtOnce() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.job-retry-pause=1m")) {
            RegisteredImage image = register(service, "waiting");
            service.refactoring().interfere(running -> {
                throw registryIsDown();
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

    @Test
    void aServiceThatIsStoppedGivesItsJobBackAndThatIsNoAttempt() throws Exception {
        RegisteredImage image;
        JobInfo job;
        try (TestService service = TestService.start(data)) {
            image = register(service, "stopped");
            service.refactoring().interfere(running -> waitFor(new CountDownLatch(1)));
            job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            service.await(job.id(), info -> info.total() == 2);
        }
        TestRefactoring sameAsBefore = new TestRefactoring();
        sameAsBefore.content(image.digest(), List.of(CONTENT));
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
            RegisteredImage image = register(service, "lost");
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
            waitFor(lost);
            BlobStore blobs = service.part(BlobStore.class);
            await(() -> isStored(blobs, BlobKind.PLAN));
            assertThat(service.client().job(job.id()).state()).isEqualTo(JobInfo.State.RUNNING);
            assertThat(service.client().image(image.digest()).plan()).isNull();
            jdbc.sql("DELETE FROM replicas WHERE id = 'other'").update();
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            assertThat(service.part(JobTable.class).attempts(job.id())).isEqualTo(2);
        }
    }

    private static boolean isStored(BlobStore blobs, BlobKind kind) {
        AtomicInteger count = new AtomicInteger();
        try {
            blobs.names(kind, name -> count.incrementAndGet());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return count.get() > 0;
    }

    @Test
    void anImageThatIsRemovedWhileItsJobRunsStaysRemoved() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "removed");
            CountDownLatch goOn = new CountDownLatch(1);
            service.refactoring().interfere(running -> waitFor(goOn));
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            service.await(job.id(), info -> info.total() == 2);
            service.client().deleteFunction("removed", true);
            goOn.countDown();
            JobInfo ended = service.awaitEnd(job.id());
            assertThat(ended.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(ended.error()).contains("removed while the job ran");
            assertThat(service.client().chain(image.topChain())).isEmpty();
            assertThat(service.client().images()).isEmpty();
        }
    }

    @Test
    void anInterruptedThreadDoesNotCloseTheDatabase() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "interrupted");
            service.refactoring().interfere(running -> {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted");
            });
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            assertThat(service.awaitEnd(job.id()).error()).contains("interrupted");
            JdbcClient jdbc = service.part(JdbcClient.class);
            Thread.currentThread().interrupt();
            jdbc.sql("UPDATE jobs SET phase = 'seen'").update();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(service.client().job(job.id()).phase()).isEqualTo("seen");
        }
    }

    @Test
    void anErrorAndAnEndThatCannotBeWrittenLeaveTheWorkerAlive() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "error");
            JdbcClient jdbc = service.part(JdbcClient.class);
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                runs.incrementAndGet();
                jdbc.sql("ALTER TABLE jobs RENAME COLUMN error TO hidden").update();
                throw new AssertionError("a fault of the engine");
            });
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            await(() -> runs.get() == 1 && column(jdbc, "hidden"));
            service.refactoring().interfere(null);
            LockSupport.parkNanos(500_000_000);
            jdbc.sql("ALTER TABLE jobs RENAME COLUMN hidden TO error").update();
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        }
    }

    @Test
    void theSpanOfAJobSaysThatItCouldNotPublish() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "unpublished");
            JdbcClient jdbc = service.part(JdbcClient.class);
            service.refactoring()
                    .interfere(running ->
                            jdbc.sql("ALTER TABLE plans RENAME TO hidden").update());
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(service.spans().ended())
                    .filteredOn(span -> span.startsWith("refactor"))
                    .singleElement()
                    .asString()
                    .startsWith("refactor: ")
                    .contains("plans");
            jdbc.sql("ALTER TABLE hidden RENAME TO plans").update();
        }
    }

    @Test
    void aJobThatIsMarkedAsRunHereAndIsNotRunsAgain() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "claimed");
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

    private static boolean column(JdbcClient jdbc, String name) {
        return jdbc.sql("SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'jobs' AND column_name = ?")
                        .param(name)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("time is over").isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void aTraceOutOfBoundsIsRefusedAndADamagedOneGivesWay() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "bounds");
            assertRefused(service, new Trace(image.topChain(), 1001, List.of()), "1001 runs");
            TraceEntry far = new TraceEntry(FilePath.ofText("a"), 2, 400_001, 0, List.of());
            assertRefused(service, new Trace(image.topChain(), 2, List.of(far)), "rank of");
            byte[] trace = TestService.trace(image.topChain(), 5);
            service.awaitEnd(service.client().postTrace(trace).id());
            try (Stream<Path> traces = Files.list(data.resolve("traces"))) {
                Files.writeString(traces.findFirst().orElseThrow(), "damaged");
            }
            service.awaitEnd(service.client().postTrace(trace).id());
            assertThat(service.client().image(image.digest()).traceRuns()).isEqualTo(1);
            assertThat(service.client().trace(image.digest())).isEqualTo(trace);
        }
    }

    private static void assertRefused(TestService service, Trace trace, String reason) {
        assertThatThrownBy(() -> service.client().postTrace(TraceCodec.encode(trace)))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(422))
                .hasMessageContaining(reason);
    }

    @Test
    void anImageWhoseLayersWereTracedAsAnotherImageIsPlannedAtOnce() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = register(service, "traced");
            service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.topChain(), 5))
                    .id());
            RegisteredImage copy = service.images().push("registry.test/copy:1", "traced");
            service.refactoring().content(copy.digest(), List.of(CONTENT));
            FunctionRequest request = new FunctionRequest("copy", "registry.test/copy:1", null, null);
            assertThat(service.client().register(request).state()).isEqualTo(ImageState.REFACTORING);
            String job = service.client().jobs().stream()
                    .filter(info -> info.image().equals(copy.digest().toString()))
                    .findFirst()
                    .orElseThrow()
                    .id();
            service.awaitEnd(job);
            assertThat(service.client().image(copy.digest()).state()).isEqualTo(ImageState.PLANNED);
            service.client().register(request);
            assertThat(service.client().jobs()).hasSize(2);
        }
    }

    @Test
    void aTraceOfAnUnknownImageIsRefused() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = service.images().push("registry.test/unknown:1", "unknown");
            assertThatThrownBy(() -> service.client().postTrace(TestService.trace(image.topChain(), 1)))
                    .hasMessageContaining("register its function first");
        }
    }

    @Test
    void whatAKilledServiceLeftIsRunAgainOrGivenUpAndItsLitterRemoved() throws Exception {
        RegisteredImage image;
        JobInfo done;
        JobInfo other;
        try (TestService service = TestService.start(data)) {
            image = register(service, "killed");
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
        for (String folder : FOLDERS) {
            Files.writeString(data.resolve(folder).resolve("0".repeat(64)), "without a row");
        }
        TestRefactoring sameAsBefore = new TestRefactoring();
        sameAsBefore.content(image.digest(), List.of(CONTENT));
        try (TestService service = TestService.start(data, sameAsBefore)) {
            assertThat(service.awaitEnd(done.id()).state()).isEqualTo(JobInfo.State.DONE);
            JobInfo givenUp = service.awaitEnd(other.id());
            assertThat(givenUp.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(givenUp.error()).contains("died 3 times");
            assertThat(service.client().image(image.digest()).plan()).isNotNull();
            assertThat(data.resolve("packs/.tmp-left")).doesNotExist();
            assertThat(data.resolve("work/left")).doesNotExist();
            for (String folder : FOLDERS) {
                try (Stream<Path> files = Files.list(data.resolve(folder))) {
                    assertThat(files).as(folder).hasSize(1);
                }
            }
        }
    }
}
