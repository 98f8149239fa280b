package io.faasimage.refactor.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.format.statement.KeyFile;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.oci.Artifacts;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.artifact.ImagePublisher.Evidence;
import io.faasimage.refactor.artifact.ImagePublisher.PlatformPlan;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.testing.RegistryServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publications at a real registry, whose artifacts are read with the formats alone. */
class ImagePublisherTest {
    private static final Platform AMD64 = Platform.parse("linux/amd64");
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final int LARGE = 300_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @SuppressWarnings("NullAway.Init")
    private RegistryServer registry;

    @SuppressWarnings("NullAway.Init")
    private ImageReference image;

    @SuppressWarnings("NullAway.Init")
    private KeyFile key;

    private final List<Layer> layers = new ArrayList<>();

    @BeforeEach
    void pushImage() throws Exception {
        registry = RegistryServer.start(temp.resolve("registry"));
        Path root = Files.createDirectories(temp.resolve("root"));
        byte[] large = new byte[LARGE];
        new Random(1).nextBytes(large);
        Files.write(root.resolve("large"), large);
        Files.writeString(root.resolve("one"), "one");
        layers.add(new Layer(TestImages.run(root, "tar", "--format=pax", "-c", "."), Packing.GZIP));
        Files.writeString(root.resolve("two"), "two");
        Files.writeString(root.resolve("three"), "three");
        layers.add(new Layer(TestImages.run(root, "tar", "--format=pax", "-c", "two", "three"), Packing.ZSTD));
        Path layout = temp.resolve("layout");
        TestImages.layout(layout, layers);
        for (Layer layer : layers) {
            registry.pushBlob("app", layer.blob());
        }
        registry.pushBlob("app", TestImages.config(layers).getBytes(StandardCharsets.UTF_8));
        registry.pushManifest("app", "1", MANIFEST, Files.readAllBytes(layout.resolve("manifest")));
        image = ImageReference.parse(registry.host() + "/app:1");
        KeyFile.generate(temp.resolve("key"), temp.resolve("key.pub"));
        key = KeyFile.read(temp.resolve("key"));
    }

    @AfterEach
    void stopRegistry() throws IOException {
        registry.close();
    }

    @Test
    void whatStartsReadIsInThePacksAndEverythingIsSigned() throws Exception {
        PlatformPlan published = publish(trace("one", "large", "two"));
        assertThat(published.evidence()).isEqualTo(Evidence.TRACE);
        assertThat(published.published().isNew()).isTrue();
        assertThat(published.published().byTag()).isTrue();
        ArtifactHead head = heads().getFirst();
        Plan plan = PlanCodec.decode(head.plan());
        assertThat(head.predicted()).isFalse();
        assertThat(key.publicKey().verify(head.statement())).isTrue();
        assertThat(PlanStatement.decode(head.statement().document()).platform()).isEqualTo("linux/amd64");
        assertThat(found(head)).isEqualTo(wanted(plan));
        PlanLayer top = plan.layers().getLast();
        assertThat(Digest.of(Zstd.decompress(head.metadata(), (int) top.metadataSize())))
                .isEqualTo(top.metadata());
        PrefixImage lower = head.prefixes().getFirst();
        byte[] stored = blob(lower.blob());
        PlanLayer bottom = plan.layers().getFirst();
        assertThat(lower.metadata()).isEqualTo(bottom.metadata());
        assertThat(Digest.of(Zstd.decompress(stored, (int) bottom.metadataSize())))
                .isEqualTo(bottom.metadata());
        try (var left = Files.list(temp.resolve("work"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void theSameAgainChangesNothingAndAnotherPlanUploadsWhatItAdds() throws Exception {
        long first = publish(trace("one", "large")).published().sentBytes();
        assertThat(first).isGreaterThan(LARGE);
        PlatformPlan again = publish(trace("one", "large"));
        assertThat(again.published().isNew()).isFalse();
        assertThat(again.published().sentBytes()).isZero();
        PlatformPlan more = publish(trace("two", "one", "large"));
        assertThat(more.published().isNew()).isTrue();
        assertThat(more.published().sentBytes()).isBetween(1L, LARGE / 2L);
        ArtifactHead newest = newest(more);
        assertThat(found(newest)).isEqualTo(wanted(PlanCodec.decode(newest.plan())));
    }

    @Test
    void twoStayBesideAnImage() throws Exception {
        publish(trace("one"));
        publish(trace("two"));
        assertThat(heads()).hasSize(2);
        PlatformPlan third = publish(trace("three"));
        assertThat(third.published().removed() + third.published().kept()).isEqualTo(1);
        assertThat(heads()).hasSize(2);
        ArtifactHead newest = newest(third);
        assertThat(found(newest)).isEqualTo(wanted(PlanCodec.decode(newest.plan())));
    }

    /** Its layers cannot be believed: they say which blobs are read. */
    @Test
    void thePacksOfAnotherKeyAreNotUsedAgain() throws Exception {
        publish(trace("one", "large"));
        KeyFile.generate(temp.resolve("key"), temp.resolve("key.pub"));
        key = KeyFile.read(temp.resolve("key"));
        assertThat(publish(trace("one", "large")).published().isNew()).isTrue();
    }

    /** Places are not signed: a head with a copied statement may say anything of them. */
    @Test
    void packsThatAreNotWhatAHeadSaysAreNotUsedAgain() throws Exception {
        PlatformPlan first = publish(trace("one", "large"));
        ArtifactHead head = heads().getFirst();
        List<ArtifactPack> lying = head.packs().stream()
                .map(pack -> new ArtifactPack(
                        pack.blob(),
                        pack.size() + 1,
                        pack.runs().stream()
                                .map(run -> new FrameRun(run.from(), run.count(), run.offset() + 1, run.length()))
                                .toList()))
                .toList();
        byte[] forged = new ArtifactHead(head.statement(), false, head.plan(), head.metadata(), head.prefixes(), lying)
                .encode();
        attach(
                forged,
                first.result().planDigest(),
                Instant.now().plusSeconds(60).toString());
        PlatformPlan again = publish(trace("one", "large"));
        assertThat(again.published().isNew()).isTrue();
        ArtifactHead newest = head(again.published().artifact());
        assertThat(found(newest)).isEqualTo(wanted(PlanCodec.decode(newest.plan())));
    }

    private ArtifactHead head(Digest artifact) throws IOException {
        try (OciRegistry client = client()) {
            String json =
                    new String(client.manifest(image.at(artifact), 1 << 20).bytes(), StandardCharsets.UTF_8);
            return ArtifactHead.decode(blob(BlobName.parse(
                            json.replaceFirst("(?s).*\"" + ArtifactTypes.HEAD_ANNOTATION + "\":\"([^\"]*).*", "$1"))
                    .orElseThrow()));
        }
    }

    /** Of a plan of an earlier version of this program, for instance. */
    @Test
    void aHeadThatCannotBeReadDoesNotStopAPublication() throws Exception {
        PlatformPlan first = publish(trace("one"));
        ArtifactHead head = heads().getFirst();
        byte[] unreadable = new ArtifactHead(
                        head.statement(), false, new byte[] {1}, head.metadata(), head.prefixes(), head.packs())
                .encode();
        attach(
                unreadable,
                first.result().planDigest(),
                Instant.now().plusSeconds(60).toString());
        assertThat(publish(trace("two")).published().isNew()).isTrue();
    }

    private void attach(byte[] head, Digest plan, String created) throws Exception {
        registry.pushBlob("app", head);
        try (OciRegistry client = client()) {
            OciRegistry.Manifest subject = client.manifest(image, 1 << 20);
            Map<String, String> annotations = Map.of(
                    ArtifactTypes.HEAD_ANNOTATION,
                    new BlobName(Digest.of(head), head.length).toString(),
                    ArtifactTypes.PLAN_ANNOTATION,
                    plan.toString(),
                    ArtifactTypes.KEY_ANNOTATION,
                    key.publicKey().ids().getFirst().toString(),
                    ArtifactTypes.CREATED_ANNOTATION,
                    created);
            byte[] manifest = ("{\"schemaVersion\":2,\"mediaType\":\"" + MANIFEST
                            + "\",\"config\":{\"mediaType\":\"application/vnd.oci.empty.v1+json\",\"digest\":\""
                            + Digest.of(new byte[] {'{', '}'}) + "\",\"size\":2},\"layers\":[],\"subject\":{"
                            + "\"mediaType\":\"" + MANIFEST + "\",\"digest\":\"" + subject.digest() + "\",\"size\":"
                            + subject.bytes().length + "}}")
                    .getBytes(StandardCharsets.UTF_8);
            new Artifacts(client).attach(image.at(subject.digest()), manifest, ArtifactTypes.ARTIFACT, annotations);
        }
    }

    @Test
    void theTraceOfAnotherImageIsInherited() throws Exception {
        Trace other = new Trace(
                ChainId.ofBase(Digest.of(new byte[1])),
                1,
                List.of(TraceEntry.whole(FilePath.ofText("large"), 1, 0, 0)));
        PlatformPlan published = publish(other);
        assertThat(published.evidence()).isEqualTo(Evidence.INHERITED);
        ArtifactHead head = heads().getFirst();
        assertThat(head.predicted()).isTrue();
        assertThat(PlanCodec.decode(head.plan()).startupCount()).isPositive();
    }

    private PlatformPlan publish(Trace trace) throws IOException {
        try (ImagePublisher publisher =
                new ImagePublisher(image, SourceOptions.defaults(), key, temp.resolve("work"))) {
            assertThat(publisher.platforms()).containsExactly(AMD64);
            return publisher
                    .publish(AMD64, Optional.of(trace), ProgressListener.NONE)
                    .orElseThrow();
        }
    }

    private Trace trace(String... paths) {
        List<TraceEntry> entries = new ArrayList<>();
        for (String path : paths) {
            entries.add(TraceEntry.whole(FilePath.ofText(path), 1, entries.size(), 0));
        }
        return new Trace(
                ChainId.ofLayers(layers.stream().map(Layer::diffId).toList()).getLast(), 1, entries);
    }

    private List<ArtifactHead> heads() throws IOException {
        List<ArtifactHead> heads = new ArrayList<>();
        try (OciRegistry client = client()) {
            Digest manifest = client.manifest(image, 1 << 20).digest();
            for (Referrers.Referrer one :
                    client.referrers(image.at(manifest), ArtifactTypes.ARTIFACT).list()) {
                BlobName name = BlobName.parse(one.annotations().get(ArtifactTypes.HEAD_ANNOTATION))
                        .orElseThrow();
                heads.add(ArtifactHead.decode(blob(name)));
            }
        }
        return heads;
    }

    private ArtifactHead newest(PlatformPlan published) throws IOException {
        return heads().stream()
                .filter(head -> Digest.of(head.plan()).equals(published.result().planDigest()))
                .findFirst()
                .orElseThrow();
    }

    private static OciRegistry client() {
        return new OciRegistry(SourceOptions.defaults().registry());
    }

    private byte[] blob(BlobName name) throws IOException {
        try (OciRegistry client = client()) {
            return client.blob(image, name.digest(), Math.toIntExact(name.size()));
        }
    }

    private static BitSet wanted(Plan plan) {
        PlanNumbers numbers = new PlanNumbers(plan);
        BitSet wanted = new BitSet();
        for (int object = 0; object < plan.startupCount(); object++) {
            for (IndexRange range : plan.prefetch().get(object).wanted()) {
                wanted.set(numbers.number(object, range.from()), numbers.number(object, range.to() - 1) + 1);
            }
        }
        return wanted;
    }

    /** The numbers of the frames that are where the head says, with the digests that the plan has. */
    private BitSet found(ArtifactHead head) throws IOException {
        Plan plan = PlanCodec.decode(head.plan());
        PlanNumbers numbers = new PlanNumbers(plan);
        BitSet found = new BitSet();
        for (ArtifactPack pack : head.packs()) {
            byte[] bytes = blob(new BlobName(pack.blob(), pack.size()));
            for (FrameRun run : pack.runs()) {
                int offset = (int) run.offset();
                for (int number = run.from(); number < run.to(); number++) {
                    ObjectFrames frames =
                            plan.prefetch().get(numbers.object(number)).frames();
                    int length = frames.length(numbers.frame(number));
                    byte[] frame = Arrays.copyOfRange(bytes, offset, offset + length);
                    assertThat(Digest.of(frame)).isEqualTo(frames.digest(numbers.frame(number)));
                    found.set(number);
                    offset += length;
                }
                assertThat(offset).isEqualTo((int) run.end());
            }
        }
        return found;
    }
}
