package io.faasimage.node.link.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.MinimumRate;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.Mirrors;
import io.faasimage.oci.OciRegistry;
import io.faasimage.testing.RegistryServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles that are composed from an artifact at a real registry. */
class ArtifactPlansTest {
    private static final int OBJECTS = 6;
    private static final int FRAMES = 3;
    private static final long SIZE = (FRAMES - 1) * (long) ObjectFrames.CONTENT_BYTES + 100;
    private static final byte[] METADATA = {1, 2, 3, 4};
    private static final byte[] LOWER = {5, 6};
    private static final SignedDocument STATEMENT =
            new SignedDocument(new byte[] {9}, digest("key"), new byte[SignedDocument.SIGNATURE_BYTES]);

    @TempDir
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private RegistryServer server;

    @SuppressWarnings("NullAway.Init")
    private OciRegistry registry;

    /** The stored form of each frame, by the plan's number. */
    private final Map<Integer, byte[]> frames = new TreeMap<>();

    @SuppressWarnings("NullAway.Init")
    private Plan plan;

    @SuppressWarnings("NullAway.Init")
    private ImageReference image;

    @SuppressWarnings("NullAway.Init")
    private ArtifactHead head;

    private Optional<String> problem = Optional.empty();

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void publish() throws Exception {
        server = RegistryServer.start(temp);
        registry = new OciRegistry(new OciRegistry.Options(
                HostRules.OPEN,
                _ -> Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                MinimumRate.STANDARD,
                1,
                Mirrors.NONE));
        byte[] manifest = "{\"schemaVersion\":2}".getBytes(StandardCharsets.UTF_8);
        image = ImageReference.parse(server.host() + "/app@" + Digest.of(manifest));
        plan = plan(Digest.of(manifest));
        // Two packs: the objects of even index in their order, then the others with a gap between any two.
        ByteArrayOutputStream even = new ByteArrayOutputStream();
        ByteArrayOutputStream odd = new ByteArrayOutputStream();
        List<FrameRun> evenRuns = new ArrayList<>();
        List<FrameRun> oddRuns = new ArrayList<>();
        for (int object = 0; object < OBJECTS; object++) {
            boolean isEven = object % 2 == 0;
            ByteArrayOutputStream pack = isEven ? even : odd;
            if (!isEven) {
                pack.write(new byte[100_000]);
            }
            int offset = pack.size();
            for (int frame = 0; frame < FRAMES; frame++) {
                pack.write(frames.get(object * FRAMES + frame));
            }
            (isEven ? evenRuns : oddRuns).add(new FrameRun(object * FRAMES, FRAMES, offset, pack.size() - offset));
        }
        head = new ArtifactHead(
                STATEMENT,
                true,
                PlanCodec.encode(plan),
                METADATA,
                List.of(new PrefixImage(digest("lower"), new BlobName(Digest.of(LOWER), LOWER.length))),
                List.of(pack(even, evenRuns), pack(odd, oddRuns)));
        push(head.encode());
        server.pushBlob("app", LOWER);
    }

    private Plan plan(Digest manifest) {
        List<PlanObject> objects = new ArrayList<>();
        List<PrefetchObject> prefetch = new ArrayList<>();
        Random random = new Random(7);
        for (int object = 0; object < OBJECTS; object++) {
            List<ObjectFrames.Frame> list = new ArrayList<>();
            for (int frame = 0; frame < FRAMES; frame++) {
                byte[] bytes = new byte[20_000 + random.nextInt(20_000)];
                random.nextBytes(bytes);
                frames.put(object * FRAMES + frame, bytes);
                list.add(new ObjectFrames.Frame(bytes.length, Digest.of(bytes)));
            }
            objects.add(new PlanObject(digest("object " + object), SIZE, Segment.BASE, -1));
            prefetch.add(PrefetchObject.whole(ObjectFrames.of(SIZE, list)));
        }
        objects.add(new PlanObject(digest("rest"), 5, Segment.FUNC, -1));
        ChainId base = ChainId.ofBase(digest("layer"));
        return new Plan(
                manifest,
                digest("trace"),
                List.of(
                        new PlanLayer(base, digest("lower"), 4096),
                        new PlanLayer(base.append(digest("upper")), digest("top"), 4096)),
                List.of(),
                objects,
                prefetch);
    }

    private ArtifactPack pack(ByteArrayOutputStream bytes, List<FrameRun> runs) throws Exception {
        server.pushBlob("app", bytes.toByteArray());
        return new ArtifactPack(Digest.of(bytes.toByteArray()), bytes.size(), runs);
    }

    /** As the fall-back tag lists them; the last one is the newest. */
    private void push(byte[]... heads) throws Exception {
        byte[] config = {'{', '}'};
        server.pushBlob("app", config);
        List<String> entries = new ArrayList<>();
        for (byte[] head : heads) {
            server.pushBlob("app", head);
            byte[] manifest = ("{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\","
                            + "\"config\":{\"mediaType\":\"application/vnd.oci.empty.v1+json\",\"digest\":\""
                            + Digest.of(config) + "\",\"size\":2},\"layers\":[],\"annotations\":{\"n\":\""
                            + entries.size() + "\"}}")
                    .getBytes(StandardCharsets.UTF_8);
            server.pushManifest(
                    "app", Digest.of(manifest).toString(), "application/vnd.oci.image.manifest.v1+json", manifest);
            entries.add("{\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"digest\":\""
                    + Digest.of(manifest) + "\",\"size\":" + manifest.length + ",\"artifactType\":\""
                    + ArtifactTypes.ARTIFACT + "\",\"annotations\":{\"" + ArtifactTypes.HEAD_ANNOTATION + "\":\""
                    + new BlobName(Digest.of(head), head.length) + "\",\"" + ArtifactTypes.PLAN_ANNOTATION + "\":\""
                    + PlanCodec.digest(plan) + "\",\"" + ArtifactTypes.CREATED_ANNOTATION + "\":\"2020-01-0"
                    + (entries.size() + 1) + "T00:00:00Z\"}}");
        }
        String index = "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"manifests\":["
                + String.join(",", entries) + "]}";
        server.pushManifest(
                "app",
                "sha256-" + plan.image().hex(),
                "application/vnd.oci.image.index.v1+json",
                index.getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        server.close();
    }

    private ArtifactPlans plans() {
        return new ArtifactPlans(registry, new PlanFacts() {
            @Override
            public List<ImageReference> references(Digest manifest) {
                return List.of(image);
            }

            @Override
            public Optional<Digest> imageOf(Digest digest) {
                return Optional.of(plan.image());
            }

            @Override
            public List<Digest> imagesOf(ChainId chain) {
                return chain.equals(plan.topChain()) ? List.of(plan.image()) : List.of();
            }

            @Override
            public Map<Digest, Digest> plansWith(Digest metadata) {
                return Map.of(PlanCodec.digest(plan), plan.image());
            }

            @Override
            public Optional<Plan> load(Digest digest) {
                return Optional.of(plan);
            }

            @Override
            public boolean isPinned(Digest key) {
                return key.equals(STATEMENT.key());
            }

            @Override
            public Optional<String> problem(Digest digest, Digest of, SignedDocument statement) {
                return statement.equals(STATEMENT) ? problem : Optional.of("another statement");
            }
        });
    }

    private static BundleRequest first(Digest image, List<String> have) {
        return new BundleRequest(
                null,
                image.toString(),
                null,
                List.of("base", "lib", "func"),
                true,
                true,
                ObjectSet.STARTUP,
                have,
                1L << 20,
                Prefix.CHAINS,
                null,
                0);
    }

    private BundleRequest exact(IndexRange... ranges) {
        return BundleRequest.exact(PlanCodec.digest(plan), List.of(ranges), 0);
    }

    /** Reads a bundle; the frames in it by their numbers. */
    private Map<Integer, byte[]> read(BundleStream stream, List<Frame> documents) throws IOException {
        Map<Integer, byte[]> found = new TreeMap<>();
        try (stream) {
            BundleReader reader = new BundleReader(stream.body());
            for (Optional<Frame> next = reader.next(); next.isPresent(); next = reader.next()) {
                if (next.get() instanceof Frame.FramesFrame some) {
                    int object = (int) plan.objects().stream()
                            .takeWhile(one -> !one.digest().equals(some.digest()))
                            .count();
                    byte[] all = some.payload().readAllBytes();
                    assertThat(all).hasSize((int) some.storedSize());
                    int offset = 0;
                    for (int frame = some.first(); offset < all.length; frame++) {
                        int number = object * FRAMES + frame;
                        int length = frames.get(number).length;
                        found.put(number, Arrays.copyOfRange(all, offset, offset + length));
                        offset += length;
                    }
                } else {
                    documents.add(next.get());
                }
            }
        }
        return found;
    }

    private void assertRight(Map<Integer, byte[]> found, int... numbers) {
        assertThat(found.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(numbers).boxed().toList());
        found.forEach((number, bytes) -> assertThat(bytes).isEqualTo(frames.get(number)));
    }

    @Test
    void aNodeThatHoldsNothingGetsThePlanAndAllThatStartsRead() throws IOException {
        BundleStream stream = plans().bundle(first(plan.image(), List.of())).orElseThrow();
        assertThat(stream.statement()).contains(STATEMENT);
        assertThat(stream.predicted()).isTrue();
        assertThat(stream.plan()).contains(PlanCodec.digest(plan).toString());
        assertThat(stream.way()).hasValueSatisfying(way -> assertThat(way).startsWith("referrers by tag, "));
        List<Frame> documents = new ArrayList<>();
        Map<Integer, byte[]> found = read(stream, documents);
        assertThat(documents)
                .hasExactlyElementsOfTypes(
                        Frame.PlanFrame.class,
                        Frame.SelectedFrame.class,
                        Frame.MetadataFrame.class,
                        Frame.EndFrame.class);
        assertRight(found, IntStream.range(0, OBJECTS * FRAMES).toArray());
    }

    @Test
    void aNodeThatHoldsSomethingGetsThePlanFirst() throws IOException {
        List<Frame> documents = new ArrayList<>();
        BundleRequest request =
                first(plan.image(), List.of(digest("another plan").toString()));
        assertThat(read(plans().bundle(request).orElseThrow(), documents)).isEmpty();
        assertThat(documents)
                .hasExactlyElementsOfTypes(
                        Frame.PlanFrame.class,
                        Frame.SelectedFrame.class,
                        Frame.MetadataFrame.class,
                        Frame.EndFrame.class);
    }

    @Test
    void exactlyTheRequestedFramesCome() throws IOException {
        ArtifactPlans plans = plans();
        List<Frame> documents = new ArrayList<>();
        assertRight(read(plans.bundle(exact(new IndexRange(4, 5))).orElseThrow(), documents), 4);
        assertRight(
                read(
                        plans.bundle(exact(new IndexRange(1, 4), new IndexRange(16, 18)))
                                .orElseThrow(),
                        documents),
                1,
                2,
                3,
                16,
                17);
        assertThat(documents).hasOnlyElementsOfType(Frame.EndFrame.class);
        for (int beyond : new int[] {0, 3}) {
            int number = OBJECTS * FRAMES + beyond;
            assertThat(plans.bundle(exact(new IndexRange(number, number + 1))))
                    .as("an object beyond the prefetch list")
                    .isEmpty();
        }
    }

    /** The artifact was deleted, and its blobs were collected. */
    @Test
    void aLostPackIsALostArtifact() throws IOException {
        ArtifactPlans plans = plans();
        plans.bundle(exact(new IndexRange(4, 5))).orElseThrow().close();
        Path blobs = temp.resolve("data/docker/registry/v2/blobs/sha256");
        try (Stream<Path> all = Files.walk(blobs)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        try (BundleStream cut = plans.bundle(exact(new IndexRange(4, 5))).orElseThrow()) {
            assertThatThrownBy(() -> cut.body().readAllBytes()).isInstanceOf(IOException.class);
        }
        assertThat(plans.bundle(exact(new IndexRange(4, 5)))).isEmpty();
    }

    @Test
    void whatIsFarApartIsReadByItselfAndMostOfAPackAsAWhole() {
        ArtifactPack pack = new ArtifactPack(digest("pack"), 1_000_000, List.of());
        FrameParts.Part near = part(0, 1000);
        FrameParts.Part next = part(40_000, 1000);
        FrameParts.Part far = part(500_000, 1000);
        assertThat(FrameReads.of(pack, List.of(near, next, far)))
                .containsExactly(
                        new FrameReads(pack, 0, 41_000, List.of(near, next)),
                        new FrameReads(pack, 500_000, 501_000, List.of(far)));
        FrameParts.Part most = part(100, 800_000);
        assertThat(FrameReads.of(pack, List.of(most))).singleElement().matches(FrameReads::isWhole);
        assertThat(FrameReads.of(pack, List.of())).isEmpty();
    }

    private static FrameParts.Part part(long offset, long length) {
        return new FrameParts.Part(digest("object"), 0, 1, offset, length);
    }

    /** A genuine statement can be copied into a head with a wrong layout. */
    @Test
    void anArtifactWithTheLayoutOfAnotherPlanIsPassedOver() throws Exception {
        ArtifactPack wrong = new ArtifactPack(digest("x"), 1000, List.of(new FrameRun(OBJECTS * FRAMES, 1, 0, 1000)));
        byte[] forged = new ArtifactHead(STATEMENT, true, head.plan(), head.metadata(), head.prefixes(), List.of(wrong))
                .encode();
        push(head.encode(), forged);
        Map<Integer, byte[]> found =
                read(plans().bundle(first(plan.image(), List.of())).orElseThrow(), new ArrayList<>());
        assertRight(found, IntStream.range(0, OBJECTS * FRAMES).toArray());
    }

    @Test
    void aRefusedPlanIsNotUsedAndTheReasonStands() {
        problem = Optional.of("it is signed by a stranger");
        ArtifactPlans plans = plans();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> plans.bundle(first(plan.image(), List.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it is signed by a stranger");
        }
    }

    @Test
    void theMetadataImageOfLowerLayersHasABlobOfItsOwn() throws IOException {
        try (var content = plans().metadata(digest("lower")).orElseThrow()) {
            assertThat(content.body().readAllBytes()).isEqualTo(LOWER);
            assertThat(content.zstd()).isTrue();
        }
        assertThat(plans().metadata(digest("unknown"))).isEmpty();
    }

    @Test
    void aPlanIsFoundByItsTop() throws IOException {
        assertThat(plans().bundle(BundleRequest.planOf(plan.topChain()))).isPresent();
        assertThat(plans().bundle(BundleRequest.planOf(ChainId.ofBase(digest("other")))))
                .isEmpty();
    }
}
