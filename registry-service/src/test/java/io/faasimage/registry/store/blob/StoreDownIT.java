package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the service while its store of blobs is down, when that is back, and when a stored blob is damaged. */
@Timeout(180)
class StoreDownIT {
    private static final int BYTES = 500_000;
    /** More than sockets buffer. */
    static final List<TestContent> CONTENT = Stream.iterate(1, i -> i <= 60, i -> i + 1)
            .map(i -> TestContent.of(100 + i, BYTES, Segment.FUNC, true))
            .toList();

    /** The numbers of these in a plan. */
    static final int FRAMES = CONTENT.size() * ObjectFrames.count(BYTES);

    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path data;

    private static RegisteredImage registered(TestService service, String name, List<TestContent> content)
            throws IOException {
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.refactoring().content(image.digest(), content);
        service.client().register(new FunctionRequest(name, image.reference(), null, null));
        return image;
    }

    private static JobInfo traced(TestService service, RegisteredImage image) throws IOException {
        return service.client().postTrace(TestService.trace(image.topChain(), 3));
    }

    /** The plan of a new image with this content. */
    static Digest planned(TestService service, String name, List<TestContent> content) throws IOException {
        return service.plan(service.planned(name, content));
    }

    /** An object as nodes request it. */
    static HttpResponse<byte[]> frame(TestService service, TestContent content) throws Exception {
        return service.send(service.request("/v1/objects/" + content.digest().hex())
                .header("Accept-Encoding", "zstd")
                .GET());
    }

    private static HttpResponse<byte[]> get(TestService service, String path) throws Exception {
        return service.send(service.request(path).GET());
    }

    private static HttpResponse<byte[]> bundle(TestService service, Digest plan) throws Exception {
        return bundle(service, plan, 0, FRAMES);
    }

    private static HttpResponse<byte[]> bundle(TestService service, Digest plan, int from, int to) throws Exception {
        return service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"plan\":\"" + plan + "\",\"ranges\":[[" + from + "," + to + "]]}")));
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void requestsAreToldToComeAgainAndJobsWaitUntilItIsBack() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.job-retry-pause=100ms")) {
            RegisteredImage image = registered(service, "one", CONTENT);
            JobInfo job = traced(service, image);
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            Digest plan = service.plan(image);
            byte[] whole = bundle(service, plan).body();
            assertThat(get(service, "/v1/health").statusCode()).isEqualTo(200);
            BundleRequest request = BundleRequest.exact(plan, List.of(new IndexRange(0, FRAMES)), 0);
            InputStream cut = service.client().bundle(request).body();
            assertThat(cut.readNBytes(100_000)).hasSize(100_000);
            STORE.stop();
            try {
                Assertions.assertThatThrownBy(cut::readAllBytes).isInstanceOf(IOException.class);
                cut.close();
                HttpResponse<byte[]> refused = bundle(service, plan);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).contains("2");
                assertThat(text(refused)).contains("urn:faasimage:problem:blobs-unavailable", "bucket blobs at");
                HttpResponse<byte[]> object = get(
                        service, "/v1/objects/" + CONTENT.getFirst().digest().hex());
                assertThat(object.statusCode()).isEqualTo(503);
                awaitStatus(service, "/v1/health", 503);
                assertThat(get(service, "/actuator/health").statusCode()).isEqualTo(503);
                assertThat(get(service, "/actuator/health/serving").statusCode())
                        .isEqualTo(200);
                assertThat(service.client().healthy()).isFalse();
                assertThat(service.client().serving()).isTrue();
                JobInfo again = service.client().refactor(image.digest());
                service.await(again.id(), info -> info.error() != null && info.state() == JobInfo.State.QUEUED);
                STORE.start();
                assertThat(service.awaitEnd(again.id()).state()).isEqualTo(JobInfo.State.DONE);
            } finally {
                STORE.stop();
                STORE.start();
            }
            awaitStatus(service, "/v1/health", 200);
            assertThat(service.plan(image)).isEqualTo(plan);
            assertThat(bundle(service, plan).body()).isEqualTo(whole);
            assertThat(get(service, "/v1/objects/" + CONTENT.getFirst().digest().hex())
                            .body())
                    .isEqualTo(CONTENT.getFirst().bytes());
        }
    }

    private static void awaitStatus(TestService service, String path, int status) throws Exception {
        Wait.until(
                Duration.ofMinutes(1),
                "status " + status,
                () -> get(service, path).statusCode() == status);
    }

    @Test
    void aPackThatIsCutOrGoneIsAClearProblemAndARefactoringMakesItAgain() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = registered(service, "one", CONTENT);
            service.awaitEnd(traced(service, image).id());
            Digest plan = service.plan(image);
            byte[] whole = bundle(service, plan).body();
            Path pack;
            try (Stream<Path> packs = Files.list(STORE.files(data).resolve("packs"))) {
                pack = packs.findFirst().orElseThrow();
            }
            Files.delete(pack);
            HttpResponse<byte[]> gone = bundle(service, plan);
            assertThat(gone.statusCode()).isEqualTo(500);
            assertThat(text(gone)).contains("urn:faasimage:problem:storage", "is damaged", "refactor");
            service.awaitEnd(service.client().refactor(image.digest()).id());
            assertThat(bundle(service, plan).body()).isEqualTo(whole);
        }
    }

    @Test
    void whatTheCacheHoldsIsSentWhileTheStoreIsDownWhateverElseIsAskedFor() throws Exception {
        TestContent other = TestContent.of(99, 100_000, Segment.FUNC, true);
        String cache = "--faasimage.blobs.cache-bytes=200MB";
        Digest plan;
        byte[] held;
        try (TestService service = TestService.start(data, cache)) {
            planned(service, "one", CONTENT);
            plan = planned(
                    service,
                    "two",
                    Stream.concat(CONTENT.stream(), Stream.of(other)).toList());
            held = bundle(service, plan).body();
        }
        Files.delete(data.resolve("cache/packs/pack-" + other.digest().hex().substring(0, 16)));
        try (TestService service = TestService.start(data, cache)) {
            assertThat(bundle(service, plan).body()).isEqualTo(held);
            STORE.stop();
            try {
                assertThat(bundle(service, plan).body()).isEqualTo(held);
                HttpResponse<byte[]> object = frame(service, CONTENT.getFirst());
                assertThat(object.statusCode()).isEqualTo(200);
                assertThat(Zstd.decompress(object.body(), BYTES))
                        .isEqualTo(CONTENT.getFirst().bytes());
                assertThat(bundle(service, plan, FRAMES, FRAMES + 1).statusCode())
                        .isEqualTo(503);
                assertThat(frame(service, other).statusCode()).isEqualTo(503);
                assertThat(bundle(service, plan).body()).isEqualTo(held);
            } finally {
                STORE.start();
            }
        }
    }
}
