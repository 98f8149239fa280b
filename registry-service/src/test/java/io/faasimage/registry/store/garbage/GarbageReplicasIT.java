package io.faasimage.registry.store.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestRefactoring;
import io.faasimage.registry.TestService;
import io.faasimage.testing.Wait;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of two services on one PostgreSQL and one bucket, whose jobs use blobs that their garbage collections are about
 * to remove.
 */
@Timeout(240)
class GarbageReplicasIT {
    private static final int ROUNDS = 15;
    private static final TestContent SHARED = TestContent.of(1, 1_000, Segment.BASE, true);

    @RegisterExtension
    static final OnPostgres DATABASE = new OnPostgres();

    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path directory;

    private TestService start(String name, TestRefactoring refactoring) {
        List<String> options = new ArrayList<>(List.of(
                "--faasimage.garbage.interval=1h",
                "--faasimage.garbage.keep=1h",
                "--faasimage.job-retries=1000",
                "--faasimage.job-retry-pause=10ms"));
        for (Map<String, String> settings : List.of(DATABASE.settings(directory), STORE.settings(directory))) {
            settings.forEach((key, value) -> options.add("--" + key + "=" + value));
        }
        return TestService.start(directory.resolve(name), refactoring, options.toArray(String[]::new));
    }

    @Test
    void whatAPlanNeedsIsThereThoughItWasGarbageWhenItsJobFoundIt() throws Exception {
        TestRefactoring refactoring = new TestRefactoring();
        try (TestService first = start("a", refactoring);
                TestService second = start("b", refactoring)) {
            AtomicInteger collections = new AtomicInteger();
            CompletableFuture<Void> end = new CompletableFuture<>();
            List<Thread> collectors = List.of(collector(first, collections, end), collector(second, collections, end));
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    TestContent own = TestContent.of(round + 10, 2_000, Segment.FUNC, true);
                    JobInfo job;
                    do {
                        // The clock may run too fast for a trace or a pack that has just been uploaded.
                        job = GarbageTest.refactored(first, "f" + round, SHARED, own);
                    } while (job.state() != JobInfo.State.DONE);
                    int before = collections.get();
                    Wait.until("four collections", () -> collections.get() >= before + 4);
                    for (TestContent content : List.of(SHARED, own)) {
                        assertThat(GarbageTest.status(second, content))
                                .as("round %d", round)
                                .isEqualTo(200);
                    }
                    first.client().deleteFunction("f" + round, true);
                }
            } finally {
                end.complete(null);
                for (Thread collector : collectors) {
                    collector.join();
                }
            }
        }
    }

    /** Collects garbage as if an hour had passed each time. */
    private static Thread collector(TestService service, AtomicInteger collections, CompletableFuture<Void> end) {
        return Thread.ofPlatform().start(() -> {
            while (!end.isDone()) {
                GarbageTest.age(service);
                service.part(Garbage.class).collect();
                collections.incrementAndGet();
            }
        });
    }
}
