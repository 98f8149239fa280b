package io.faasimage.registry.store.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of discovery and exact bundles, over HTTP: differences, limits, chains, resumption, and modes of functions. */
class BundleHttpTest extends ServiceTest {
    private static final Set<Segment> ALL = Set.of(Segment.values());
    private static final List<TestContent> ONE = List.of(
            TestContent.of(1, 30_000, Segment.BASE, true),
            TestContent.of(2, 5_000, Segment.LIB, true),
            TestContent.of(3, 400_000, Segment.FUNC, true),
            TestContent.of(4, 9_000, Segment.BASE, true),
            TestContent.of(7, 400_000, Segment.BASE, false));
    private static final List<TestContent> TWO = List.of(
            ONE.get(3),
            TestContent.of(5, 7_000, Segment.FUNC, true),
            ONE.get(0),
            TestContent.of(6, 8_000, Segment.BASE, false));

    private static RegisteredImage one;
    private static RegisteredImage two;
    private static Digest planOne;
    private static Digest planTwo;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.plain(data);
        one = service.images().push("registry.test/one:1", "os", "runtime", "one");
        two = service.images().push("registry.test/two:1", "os", "runtime", "two");
        planOne = plan(one, ONE, new FunctionRequest("one", one.reference(), null, null));
        planTwo =
                plan(two, TWO, new FunctionRequest("two", two.reference(), null, null, StartMode.EARLY, FillMode.IDLE));
    }

    private static Digest plan(RegisteredImage image, List<TestContent> content, FunctionRequest function)
            throws IOException {
        service.refactoring().content(image, content);
        service.client().register(function);
        service.traced(image);
        return service.plan(image);
    }

    private static List<Digest> digests(List<TestContent> content, int... indexes) {
        return Arrays.stream(indexes).mapToObj(i -> content.get(i).digest()).toList();
    }

    @Test
    void anImageLeadsToItsPlanAndOneRequestBringsWhatIsMissing() throws Exception {
        BundleRequest request = new BundleRequest(
                null,
                two.digest().toString(),
                null,
                List.of("base", "func"),
                true,
                true,
                ObjectSet.ALL,
                List.of(planOne.toString()),
                null,
                null,
                null,
                0);
        List<Frame> frames = BundleFrames.read(service, request);
        assertThat(BundleFrames.only(frames, Frame.PlanFrame.class).digest()).isEqualTo(planTwo);
        assertThat(BundleFrames.only(frames, Frame.SelectedFrame.class).selection())
                .isEqualTo(new Selection(List.of(new IndexRange(1, 2), new IndexRange(3, 4))));
        assertThat(BundleFrames.objects(frames)).isEqualTo(digests(TWO, 1, 3));
    }

    @Test
    void anUpdateThatChangesNothingMovesNothing() throws Exception {
        BundleRequest request = BundleRequest.discovery(one.topChain(), ALL, List.of(planOne), null, Prefix.NEWEST);
        List<Frame> frames = BundleFrames.read(service, request);
        assertThat(BundleFrames.objects(frames)).isEmpty();
        assertThat(BundleFrames.only(frames, Frame.SelectedFrame.class)
                        .selection()
                        .ranges())
                .isEmpty();
    }

    @Test
    void aLimitEndsTheObjectsButLetsOneThrough() throws Exception {
        assertThat(limited(0L)).isEmpty();
        assertThat(limited(1L)).isEqualTo(digests(ONE, 0));
        assertThat(limited(25_000L)).isEqualTo(digests(ONE, 0, 1));
        assertThat(limited(100_000_000L)).isEqualTo(digests(ONE, 0, 1, 2, 3));
    }

    private static List<Digest> limited(long limit) throws IOException {
        BundleRequest request = BundleRequest.discovery(one.topChain(), ALL, List.of(), limit, Prefix.NEWEST);
        List<Frame> frames = BundleFrames.read(service, request);
        List<Digest> objects = BundleFrames.objects(frames);
        assertThat(BundleFrames.only(frames, Frame.SelectedFrame.class)
                        .selection()
                        .size())
                .isEqualTo(ONE.stream()
                        .filter(content -> objects.contains(content.digest()))
                        .mapToInt(content -> ObjectFrames.count(content.bytes().length))
                        .sum());
        return objects;
    }

    @Test
    void anImageWithoutAPlanLeadsToItsPlannedLayersThatItsRegistryHasShown() throws Exception {
        RegisteredImage shown = service.images().push(2, "registry.test/shown:1", "os", "runtime", "shown");
        RegisteredImage forged = service.images().push("registry.test/forged:1", "os", "runtime", "forged");
        for (RegisteredImage image : List.of(shown, forged)) {
            service.client()
                    .register(new FunctionRequest(
                            "f" + image.digest().hex().substring(0, 8), image.reference(), null, null));
        }
        List<Frame> frames = BundleFrames.read(service, planned(shown, Prefix.CHAINS));
        assertThat(frames).hasSize(2);
        assertThat(BundleFrames.only(frames, Frame.ChainsFrame.class).chains())
                .isEqualTo(shown.chains().subList(0, 2));
        for (BundleRequest request : List.of(planned(shown, Prefix.NEWEST), planned(forged, Prefix.CHAINS))) {
            assertThatThrownBy(() -> service.client().bundle(request))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.notFound()).isTrue());
        }
        assertThat(BundleFrames.read(service, planned(one, Prefix.CHAINS)))
                .noneMatch(Frame.ChainsFrame.class::isInstance)
                .anyMatch(Frame.PlanFrame.class::isInstance);
    }

    private static BundleRequest planned(RegisteredImage image, Prefix prefix) {
        return new BundleRequest(
                null, image.digest().toString(), null, List.of(), true, true, null, List.of(), null, prefix, null, 0);
    }

    @Test
    void exactRangesComeInTheOrderAsked() throws Exception {
        List<IndexRange> ranges = List.of(new IndexRange(2, 11), new IndexRange(0, 1));
        List<Frame> frames = BundleFrames.read(service, BundleRequest.exact(planOne, ranges, 0));
        assertThat(BundleFrames.objects(frames)).isEqualTo(digests(ONE, 2, 3, 4, 0));
        assertThat(frames).hasSize(5);
    }

    @Test
    void singleFramesOfAnObjectComeInTheOrderAsked() throws Exception {
        byte[] stored = service.send(
                        service.request("/v1/objects/" + ONE.get(2).digest().hex())
                                .header("Accept-Encoding", "zstd"))
                .body();
        ObjectFrames places = PlanCodec.decode(service.client().plan(one.digest()))
                .prefetch()
                .get(2)
                .frames();
        List<IndexRange> ranges = List.of(new IndexRange(7, 9), new IndexRange(2, 3), new IndexRange(4, 5));
        BundleReader reader = new BundleReader(
                service.client().bundle(BundleRequest.exact(planOne, ranges, 0)).body());
        for (IndexRange frames : List.of(new IndexRange(5, 7), new IndexRange(0, 1), new IndexRange(2, 3))) {
            assertThat(reader.next()).get().isInstanceOfSatisfying(Frame.FramesFrame.class, some -> {
                assertThat(some.digest()).isEqualTo(ONE.get(2).digest());
                assertThat(some.first()).isEqualTo(frames.from());
                assertThat(some.payload())
                        .hasBinaryContent(Arrays.copyOfRange(
                                stored, (int) places.offset(frames.from()), (int) places.end(frames.to() - 1)));
            });
        }
        assertThat(reader.next()).containsInstanceOf(Frame.EndFrame.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4_096, 100_000, 199_999})
    void aCutObjectGoesOnWhereItStopped(long offset) throws Exception {
        byte[] whole = stored(ONE.get(4), 0);
        byte[] rest = stored(ONE.get(4), offset);
        assertThat(rest).isEqualTo(Arrays.copyOfRange(whole, (int) offset, whole.length));
    }

    /** The stored form of an object as an exact bundle has it, which continues with another object. */
    private static byte[] stored(TestContent content, long offset) throws IOException {
        List<IndexRange> ranges = List.of(new IndexRange(10, 11), new IndexRange(1, 2));
        BundleRequest request = BundleRequest.exact(planOne, ranges, offset);
        try (BundleStream answer = service.client().bundle(request)) {
            byte[] body = answer.body().readAllBytes();
            assertThat(answer.length()).isEqualTo(body.length);
            BundleReader reader = new BundleReader(new ByteArrayInputStream(body));
            if (!(reader.next().orElseThrow() instanceof Frame.ObjectFrame object)) {
                throw new AssertionError("no object");
            }
            assertThat(object.digest()).isEqualTo(content.digest());
            assertThat(object.offset()).isEqualTo(offset);
            byte[] payload = object.payload().readAllBytes();
            assertThat(payload).hasSize((int) (object.storedSize() - offset));
            assertThat(reader.next()).get().isInstanceOfSatisfying(Frame.FramesFrame.class, next -> {
                assertThat(next.digest()).isEqualTo(ONE.get(1).digest());
                assertThat(next.first()).isZero();
            });
            assertThat(reader.next()).containsInstanceOf(Frame.EndFrame.class);
            return payload;
        }
    }

    @Test
    void rangesThatThePlanDoesNotHaveAreRefused() throws Exception {
        String plan = "\"plan\":\"" + planOne + "\"";
        assertRefused("{" + plan + ",\"ranges\":[[0,12]]}", "has 11 numbers");
        assertRefused("{" + plan + ",\"ranges\":[[3,3]]}", "[3, 3] is not a range");
        assertRefused("{" + plan + ",\"ranges\":[[-1,3]]}", "is not a range");
        assertRefused("{" + plan + ",\"ranges\":[[0,1,2]]}", "has two indexes");
        assertRefused("{" + plan + ",\"ranges\":[]}", "1 to 4096");
        assertRefused("{" + plan + ",\"ranges\":[[0,11],[0,11]]}", "request each once");
        assertRefused("{" + plan + ",\"ranges\":[[10,11]],\"offset\":1000000}", "the first object has");
        assertRefused("{" + plan + ",\"ranges\":[[0,1]],\"offset\":1}", "the first object has frames");
        assertRefused("{" + plan + ",\"ranges\":[[0,1]],\"offset\":-1}", "'offset' is -1");
        assertRefused("{" + plan + ",\"ranges\":[[0,1]],\"segments\":[\"base\"]}", "alone");
        assertRefused("{\"image\":\"" + one.digest() + "\",\"ranges\":[[0,1]]}", "alone");
        String many = String.join(",", Collections.nCopies(4097, "[0,1]"));
        assertRefused("{" + plan + ",\"ranges\":[" + many + "]}", "4097 ranges");
        BundleRequest unknown = BundleRequest.exact(one.digest(), List.of(new IndexRange(0, 1)), 0);
        assertThatThrownBy(() -> service.client().bundle(unknown)).hasMessageContaining("no plan with the digest");
    }

    private static void assertRefused(String body, String reason) throws Exception {
        HttpResponse<byte[]> answer = service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(reason);
    }

    @Test
    void headersSayWhatTheFunctionsOfTheImageAskFor() throws Exception {
        try (BundleStream silent = service.client().bundle(BundleRequest.planOf(one.topChain()))) {
            assertThat(silent.start()).isEmpty();
            assertThat(silent.fill()).isEmpty();
        }
        try (BundleStream early = service.client().bundle(BundleRequest.planOf(two.topChain()))) {
            assertThat(early.start()).contains(StartMode.EARLY);
            assertThat(early.fill()).contains(FillMode.IDLE);
        }
        FunctionInfo strict = service.client()
                .register(new FunctionRequest(
                        "two-strict", two.reference(), null, null, StartMode.COMPLETE, FillMode.NONE));
        assertThat(strict.start()).isEqualTo(StartMode.COMPLETE);
        assertThat(strict.fill()).isEqualTo(FillMode.NONE);
        try (BundleStream both = service.client().bundle(BundleRequest.planOf(two.topChain()))) {
            assertThat(both.start()).contains(StartMode.COMPLETE);
            assertThat(both.fill()).contains(FillMode.IDLE);
        }
        HttpResponse<byte[]> raw = service.send(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"plan\":\"" + planTwo + "\",\"planWanted\":true}")));
        assertThat(raw.headers().firstValue("X-Faasimage-Plan")).contains(planTwo.toString());
        assertThat(raw.headers().firstValue("X-Faasimage-Start")).contains("complete");
        assertThat(raw.headers().firstValue("X-Faasimage-Fill")).contains("idle");
    }
}
