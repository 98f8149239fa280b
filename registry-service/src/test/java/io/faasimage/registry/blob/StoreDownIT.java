package io.faasimage.registry.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.BundleRequest;
import io.faasimage.api.FunctionRequest;
import io.faasimage.api.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The service while its store of blobs is down, and when that is back; and when what it stored is damaged. */
@Timeout(180)
class StoreDownIT {
    private static final List<TestContent> CONTENT = Stream.iterate(1, i -> i <= 60, i -> i + 1)
            .map(i -> TestContent.of(100 + i, 1_000_000, Segment.FUNC, true))
            .toList();

    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path data;

    private static RegisteredImage registered(TestService service) throws IOException {
        RegisteredImage image = service.images().push("registry.test/one:1", "one");
        service.refactoring().content(image.digest(), CONTENT);
        service.client().register(new FunctionRequest("one", image.reference(), null, null));
        return image;
    }

    private static JobInfo traced(TestService service, RegisteredImage image) throws IOException {
        return service.client().postTrace(TestService.trace(image.topChain(), 3));
    }

    private static HttpResponse<byte[]> get(TestService service, String path) throws Exception {
        return service.send(service.request(path).GET());
    }

    private static HttpResponse<byte[]> bundle(TestService service, Digest plan) throws Exception {
        return service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"plan\":\"" + plan + "\",\"ranges\":[[0,60]]}")));
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void requestsAreToldToComeAgainAndJobsWaitUntilItIsBack() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.job-retry-pause=100ms")) {
            RegisteredImage image = registered(service);
            JobInfo job = traced(service, image);
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
            Digest plan = Digest.parse(
                    String.valueOf(service.client().image(image.digest()).plan()));
            byte[] whole = bundle(service, plan).body();
            assertThat(get(service, "/v1/health").statusCode()).isEqualTo(200);
            BundleRequest request = BundleRequest.exact(plan, List.of(new IndexRange(0, 60)), 0);
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
                assertThat(get(service, "/v1/views/redundancy").statusCode()).isEqualTo(503);
                awaitStatus(service, "/v1/health", 503);
                assertThat(get(service, "/actuator/health").statusCode()).isEqualTo(503);
                assertThat(get(service, "/actuator/health/serving").statusCode())
                        .isEqualTo(200);
                JobInfo again = service.client().refactor(image.digest());
                service.await(again.id(), info -> info.error() != null && info.state() == JobInfo.State.QUEUED);
                STORE.start();
                assertThat(service.awaitEnd(again.id()).state()).isEqualTo(JobInfo.State.DONE);
            } finally {
                STORE.stop();
                STORE.start();
            }
            awaitStatus(service, "/v1/health", 200);
            Digest now = Digest.parse(
                    String.valueOf(service.client().image(image.digest()).plan()));
            assertThat(now).isEqualTo(plan);
            assertThat(bundle(service, plan).body()).isEqualTo(whole);
            assertThat(get(service, "/v1/objects/" + CONTENT.getFirst().digest().hex())
                            .body())
                    .isEqualTo(CONTENT.getFirst().bytes());
        }
    }

    private static void awaitStatus(TestService service, String path, int status) throws Exception {
        while (get(service, path).statusCode() != status) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aPackThatIsCutOrGoneIsAClearProblemAndARefactoringMakesItAgain() throws Exception {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = registered(service);
            service.awaitEnd(traced(service, image).id());
            Digest plan = Digest.parse(
                    String.valueOf(service.client().image(image.digest()).plan()));
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
    void whatTheCacheHoldsIsTheSame() throws Exception {
        Digest plan;
        byte[] whole;
        try (TestService service = TestService.start(data, "--faasimage.blobs.cache-bytes=200MB")) {
            RegisteredImage image = registered(service);
            service.awaitEnd(traced(service, image).id());
            plan = Digest.parse(
                    String.valueOf(service.client().image(image.digest()).plan()));
            whole = bundle(service, plan).body();
            assertThat(service.part(BlobStore.class)).isInstanceOf(CachedBlobs.class);
        }
        try (TestService service = TestService.start(data)) {
            assertThat(bundle(service, plan).body()).isEqualTo(whole);
        }
    }
}
