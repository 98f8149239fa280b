package io.faasimage.registry.store.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many nodes at a time. */
@Timeout(120)
class ManyPullsTest {
    private static final int PULLS = 200;

    @TempDir
    Path data;

    @Test
    void twoHundredPullsAtATimeGetAllTheyAskFor() throws Exception {
        List<TestContent> contents = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            contents.add(TestContent.of(i, 200 + i * 100, Segment.FUNC, true));
        }
        contents.add(TestContent.of(100, 2_000_000, Segment.FUNC, true));
        try (TestService service = TestService.plain(data);
                ExecutorService nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            BundleRequest request = request(service, contents);
            CountDownLatch together = new CountDownLatch(PULLS);
            List<Future<List<Frame>>> pulls = new ArrayList<>();
            for (int i = 0; i < PULLS; i++) {
                pulls.add(nodes.submit(() -> {
                    together.countDown();
                    together.await();
                    return BundleFrames.read(service, request);
                }));
            }
            List<Digest> expected = contents.stream().map(TestContent::digest).toList();
            for (Future<List<Frame>> pull : pulls) {
                assertThat(BundleFrames.objects(pull.get())).isEqualTo(expected);
            }
        }
    }

    @Test
    void aPullAboveTheLimitIsToldWhenToComeAgain() throws Exception {
        TestContent large = new TestContent(random(40_000_000), Segment.FUNC, true);
        try (TestService service = TestService.start(data, "--faasimage.bundle-streams=1")) {
            BundleRequest request = request(service, List.of(large));
            try (BundleStream held = service.client().bundle(request)) {
                assertThat(held.body().read()).isNotNegative();
                assertThatThrownBy(() -> service.client().bundle(request))
                        .hasMessageContaining("--faasimage.bundle-streams")
                        .isInstanceOfSatisfying(ServiceException.class, e -> {
                            assertThat(e.status()).isEqualTo(429);
                            assertThat(e.retryAfter()).contains(Duration.ofSeconds(1));
                        });
            }
            assertThat(whenFree(service, request)).containsExactly(large.digest());
        }
    }

    /** Reads the bundle as soon as the service has noticed that the stream before is over. */
    private static List<Digest> whenFree(TestService service, BundleRequest request) throws IOException {
        while (true) {
            try {
                return BundleFrames.objects(BundleFrames.read(service, request));
            } catch (ServiceException e) {
                assertThat(e.status()).isEqualTo(429);
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new java.util.Random(7).nextBytes(bytes);
        return bytes;
    }

    private static BundleRequest request(TestService service, List<TestContent> contents) throws IOException {
        Digest plan = service.plan(service.planned("many", contents));
        return BundleRequest.objects(plan, Segment.FUNC, ObjectSet.STARTUP, List.of());
    }
}
