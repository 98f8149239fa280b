package io.faasimage.registry.store.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestRefactoring;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.bundle.BundleFrames;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests of the answers to a node about a planned image, over HTTP: chains, plans, bundles and objects, also when packs
 * are damaged.
 */
class PlanHttpTest extends ServiceTest {
    private static final TestContent BASE_1 = TestContent.of(1, 10_000, Segment.BASE, true);
    private static final TestContent LIB = TestContent.of(2, 1, Segment.LIB, true);
    private static final TestContent FUNC = TestContent.of(3, 900_000, Segment.FUNC, true);
    private static final TestContent BASE_2 = TestContent.of(4, 70_000, Segment.BASE, true);
    private static final TestContent REST = TestContent.of(5, 300_000, Segment.BASE, false);
    private static final TestContent OWN = TestContent.of(6, 4_000, Segment.FUNC, true);

    private static RegisteredImage first;
    private static RegisteredImage second;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.plain(data);
        first = planned("registry.test/first:1", "first", BASE_1, LIB, FUNC, BASE_2, REST);
        second = planned("registry.test/second:1", "second", OWN, LIB, BASE_1, BASE_2, REST);
    }

    private static RegisteredImage planned(String reference, String layer, TestContent... content) throws Exception {
        RegisteredImage image = service.images().push(reference, "runtime", layer);
        service.refactoring().content(image.digest(), List.of(content));
        service.client().register(new FunctionRequest(layer, reference, null, null));
        service.traced(image);
        return image;
    }

    private static Digest plan(RegisteredImage image) throws IOException {
        return service.plan(image);
    }

    @Test
    void theImageSaysWhatItsSegmentsWeigh() throws Exception {
        ImageInfo info = service.client().image(first.digest());
        assertThat(info.state()).isEqualTo(ImageState.PLANNED);
        assertThat(info.traceRuns()).isEqualTo(1);
        assertThat(info.tracedFiles()).isEqualTo(3);
        assertThat(info.segments()).extracting(ImageInfo.SegmentInfo::segment).containsExactly("base", "lib", "func");
        ImageInfo.SegmentInfo base = info.segments().getFirst();
        assertThat(base.startupObjects()).isEqualTo(2);
        assertThat(base.startupBytes()).isEqualTo(80_000);
        assertThat(base.objects()).isEqualTo(3);
        assertThat(base.bytes()).isEqualTo(380_000);
        assertThat(base.stored()).isBetween(1L, 380_000L);
        assertThat(info.libraries()).containsExactly(new ImageInfo.LibraryInfo("python", "flask", "3.1.0", 1, 1));
    }

    @Test
    void aChainLeadsToTheImageThatItIs() throws Exception {
        ChainInfo top = service.client().chain(first.topChain()).orElseThrow();
        assertThat(top.plans()).containsExactly(plan(first).toString());
        assertThat(top.images()).singleElement().satisfies(image -> {
            assertThat(image.top()).isTrue();
            assertThat(image.traceWanted()).isFalse();
        });
        assertThat(service.client().chain(first.chains().getFirst()))
                .as("no image is this layer alone")
                .isEmpty();
    }

    @Test
    void planAndTraceComeAsTheyAreEncoded() throws Exception {
        byte[] encoded = service.client().plan(first.digest());
        assertThat(Digest.of(encoded)).isEqualTo(plan(first));
        assertThat(PlanCodec.decode(encoded).image()).isEqualTo(first.digest());
        assertThat(TraceCodec.decode(service.client().trace(first.digest())).entries())
                .hasSize(3);
    }

    @Test
    void aBundleHasPlanMetadataAndTheObjectsInRankOrder() throws Exception {
        BundleRequest all = BundleRequest.discovery(
                first.topChain(), Set.of(Segment.values()), List.of(), null, BundleRequest.Prefix.NEWEST);
        List<Frame> frames = bundle(all);
        assertThat(frames.get(0))
                .isInstanceOfSatisfying(
                        Frame.PlanFrame.class,
                        frame -> assertThat(frame.digest()).isEqualTo(planOf(first)));
        assertThat(frames.get(1)).isEqualTo(new Frame.SelectedFrame(new Selection(List.of(new IndexRange(0, 18)))));
        assertThat(frames.get(2))
                .isInstanceOfSatisfying(
                        Frame.MetadataFrame.class,
                        frame -> assertThat(frame.digest())
                                .isEqualTo(Digest.of(TestRefactoring.metadata(first.digest()))));
        assertThat(objects(frames)).containsExactly(BASE_1.digest(), LIB.digest(), FUNC.digest(), BASE_2.digest());
        assertThat(frames.getLast()).isInstanceOf(Frame.EndFrame.class);
    }

    @Test
    void segmentsSetsAndHeldPlansNarrowABundle() throws Exception {
        Digest plan = plan(first);
        assertThat(objects(bundle(BundleRequest.objects(plan, Segment.BASE, ObjectSet.STARTUP, List.of()))))
                .containsExactly(BASE_1.digest(), BASE_2.digest());
        assertThat(objects(bundle(BundleRequest.objects(plan, Segment.BASE, ObjectSet.REST, List.of()))))
                .containsExactly(REST.digest());
        Digest unknown = Digest.of(new byte[] {7});
        assertThat(objects(bundle(BundleRequest.objects(plan(second), Segment.FUNC, ObjectSet.STARTUP, List.of(plan)))))
                .containsExactly(OWN.digest());
        assertThat(objects(bundle(
                        BundleRequest.objects(plan(second), Segment.BASE, ObjectSet.STARTUP, List.of(unknown, plan)))))
                .isEmpty();
        assertThat(objects(
                        bundle(BundleRequest.objects(plan(second), Segment.BASE, ObjectSet.STARTUP, List.of(unknown)))))
                .containsExactly(BASE_1.digest(), BASE_2.digest());
    }

    @Test
    void aBundleRequestIsReadInEitherSpelling() throws Exception {
        String body = "{\"chain\":null,\"plan\":\"" + plan(first)
                + "\",\"segments\":[],\"plan_wanted\":true,\"metadata_wanted\":false,\"set\":\"startup\",\"have\":[]}";
        HttpResponse<byte[]> answer = service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).isEqualTo(200);
        BundleReader reader = new BundleReader(new java.io.ByteArrayInputStream(answer.body()));
        assertThat(reader.next()).containsInstanceOf(Frame.PlanFrame.class);
        assertThat(reader.next()).containsInstanceOf(Frame.EndFrame.class);
    }

    @Test
    void badBundleRequestsAreProblems() throws Exception {
        Digest plan = plan(first);
        List<Digest> many = java.util.stream.IntStream.range(0, 1001)
                .mapToObj(i -> Digest.of(new byte[] {(byte) i, (byte) (i >> 8)}))
                .toList();
        assertStatus(BundleRequest.objects(plan, Segment.BASE, ObjectSet.STARTUP, many), 400, "may name 1000");
        assertStatus(
                BundleRequest.objects(Digest.of(new byte[9]), Segment.BASE, ObjectSet.STARTUP, List.of()),
                404,
                "no plan");
        assertRefused("{\"plan\":\"" + plan + "\",\"segments\":[\"top\"]}", "unknown segment 'top'");
        assertRefused("{\"plan\":\"sha256:1\"}", "'plan'");
        assertRefused("{\"image\":\"sha256:1\"}", "'image'");
        assertRefused("{}", "exactly one of");
        assertRefused("{\"chain\":\"a\",\"plan\":\"b\"}", "exactly one of");
        assertRefused("{\"plan\":\"" + plan + "\",\"limit\":-1}", "'limit' is -1");
        assertRefused("{\"plan\":\"" + plan + "\",\"prefix\":\"OLDEST\"}", "[CHAINS, NEWEST]");
        assertRefused("{\"plan\":\"" + plan + "\",\"offset\":1}", "'offset' goes with 'ranges'");
    }

    private static void assertRefused(String body, String reason) throws Exception {
        HttpResponse<byte[]> answer = service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(reason);
    }

    @Test
    void anObjectComesRawOrAsItIsStored() throws Exception {
        String path = "/v1/objects/" + FUNC.digest().hex();
        HttpResponse<byte[]> raw = service.send(service.request(path));
        assertThat(raw.body()).isEqualTo(FUNC.bytes());
        assertThat(raw.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(raw.headers().firstValue("Cache-Control").orElse("")).contains("immutable");
        HttpResponse<byte[]> stored = service.send(service.request(path).header("Accept-Encoding", "gzip, zstd"));
        assertThat(stored.headers().firstValue("Content-Encoding")).hasValue("zstd");
        assertThat(Zstd.decompress(stored.body(), FUNC.bytes().length)).isEqualTo(FUNC.bytes());
        String tag = raw.headers().firstValue("ETag").orElseThrow();
        assertThat(stored.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
        assertThat(service.send(service.request(path).header("If-None-Match", tag))
                        .statusCode())
                .isEqualTo(304);
        HttpResponse<byte[]> head = service.send(service.request(path).method("HEAD", BodyPublishers.noBody()));
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(FUNC.bytes().length);
        Digest metadata = Digest.of(TestRefactoring.metadata(first.digest()));
        assertThat(service.send(service.request("/v1/objects/" + metadata.hex()))
                        .body())
                .isEqualTo(TestRefactoring.metadata(first.digest()));
    }

    @Test
    void aRangeIsOfTheRawForm() throws Exception {
        byte[] bytes = FUNC.bytes();
        assertRange("bytes=0-0", Arrays.copyOfRange(bytes, 0, 1), "bytes 0-0/900000");
        assertRange("bytes=299999-600000", Arrays.copyOfRange(bytes, 299_999, 600_001), "bytes 299999-600000/900000");
        assertRange("bytes=899990-", Arrays.copyOfRange(bytes, 899_990, 900_000), "bytes 899990-899999/900000");
        assertRange("bytes=-5", Arrays.copyOfRange(bytes, 899_995, 900_000), "bytes 899995-899999/900000");
        assertRange("bytes=0-9999999", bytes, "bytes 0-899999/900000");
        String path = "/v1/objects/" + FUNC.digest().hex();
        HttpResponse<byte[]> outside = service.send(service.request(path).header("Range", "bytes=900000-"));
        assertThat(outside.statusCode()).isEqualTo(416);
        assertThat(outside.headers().firstValue("Content-Range")).hasValue("bytes */900000");
        assertThat(service.send(service.request(path).header("Range", "lines=1-2"))
                        .body())
                .isEqualTo(bytes);
    }

    private static void assertRange(String range, byte[] expected, String contentRange) throws Exception {
        HttpResponse<byte[]> part =
                service.send(service.request("/v1/objects/" + FUNC.digest().hex())
                        .header("Range", range)
                        .header("Accept-Encoding", "zstd"));
        assertThat(part.statusCode()).as(range).isEqualTo(206);
        assertThat(part.body()).as(range).isEqualTo(expected);
        assertThat(part.headers().firstValue("Content-Range")).hasValue(contentRange);
    }

    @Test
    void aCutPackIsAProblemAndRefactoringMakesItAgain() throws Exception {
        TestContent content = TestContent.of(77, 500_000, Segment.FUNC, true);
        RegisteredImage image = planned("registry.test/damaged:1", "damaged", content);
        Path pack = packWith(content);
        byte[] whole = Files.readAllBytes(pack);
        Files.write(pack, Arrays.copyOf(whole, whole.length / 2));
        BundleRequest request = BundleRequest.objects(plan(image), Segment.FUNC, ObjectSet.STARTUP, List.of());
        assertStatus(request, 500, "is damaged");
        HttpResponse<byte[]> object =
                service.send(service.request("/v1/objects/" + content.digest().hex()));
        assertThat(object.statusCode()).isEqualTo(500);
        assertThat(new String(object.body(), StandardCharsets.UTF_8)).contains("refactor to make it again");
        Files.delete(pack);
        assertStatus(request, 500, "is damaged");

        JobInfo job = service.client().refactor(image.digest());
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        assertThat(objects(bundle(request))).containsExactly(content.digest());
    }

    @Test
    void aFrameThatIsNotZstdBreaksTheAnswerInsteadOfCuttingItAndIsMadeAgain() throws Exception {
        TestContent content = TestContent.of(78, 2_000_000, Segment.FUNC, true);
        RegisteredImage image = planned("registry.test/flipped:1", "flipped", content);
        Path pack = packWith(content);
        byte[] bytes = Files.readAllBytes(pack);
        Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0xff);
        Files.write(pack, bytes);
        assertThatThrownBy(() -> {
                    HttpResponse<byte[]> answer = service.send(
                            service.request("/v1/objects/" + content.digest().hex()));
                    if (answer.statusCode() != 200) {
                        throw new IOException("status " + answer.statusCode());
                    }
                })
                .isInstanceOf(IOException.class);
        JobInfo job = service.client().refactor(image.digest());
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        HttpResponse<byte[]> again =
                service.send(service.request("/v1/objects/" + content.digest().hex()));
        assertThat(again.body()).isEqualTo(content.bytes());
    }

    private static Path packWith(TestContent content) throws IOException {
        try (Stream<Path> packs = Files.list(service.data().resolve("packs"))) {
            return packs.filter(pack -> pack.getFileName()
                            .toString()
                            .equals("pack-" + content.digest().hex().substring(0, 16)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void assertStatus(BundleRequest request, int status, String message) {
        assertThatThrownBy(() -> service.client().bundle(request))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(status))
                .hasMessageContaining(message);
    }

    private static Digest planOf(RegisteredImage image) {
        try {
            return plan(image);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<Frame> bundle(BundleRequest request) throws IOException {
        return BundleFrames.read(service, request);
    }

    private static List<Digest> objects(List<Frame> frames) {
        return BundleFrames.objects(frames);
    }
}
