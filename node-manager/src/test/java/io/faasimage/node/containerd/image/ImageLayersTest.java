package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.MinimumRate;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.Pulls;
import io.faasimage.oci.DockerLogins;
import io.faasimage.oci.Mirrors;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.UserHosts;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of objects that come out of an image's layer, at a registry that answers well or badly. */
@Timeout(60)
class ImageLayersTest {
    private static final int BYTES = 3_000;

    @TempDir
    private Path root;

    private final SamplePlan sample = new SamplePlan(7, 4, 4, BYTES);
    private final Events events = new Events(100, InstantSource.system());
    private final LoopbackServer registry = new LoopbackServer();
    /** The registry's next answers to requests for the layer, instead of it. */
    private final Deque<LoopbackServer.Answer> answers = new ConcurrentLinkedDeque<>();

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean isServed = new AtomicBoolean();
    private SmallService service;
    private ObjectStore store;
    private PlanStore plans;
    private Pulls pulls;
    private OciRegistry client;
    private ImageLayers layers;
    private byte[] layer;

    @BeforeEach
    void open() throws IOException {
        service = new SmallService();
        store = ObjectStore.open(root, "node");
        plans = PlanStore.open(root, PlanTrust.EVERY_PLAN, events, InstantSource.system());
        plans.save(PlanCodec.encode(sample.plan()), Optional.empty());
        pulls = new Pulls(
                service.link(Duration.ofSeconds(5)), store, PullConfig.standard(0), events, InstantSource.system());
        Duration limit = Duration.ofSeconds(5);
        client = new OciRegistry(new OciRegistry.Options(
                new UserHosts(Set.of(), "faasimage-node"),
                new DockerLogins(root.resolve("none")),
                Optional.empty(),
                limit,
                limit,
                MinimumRate.STANDARD,
                1,
                Mirrors.NONE));
        layers = layers(_ -> List.of(image()));
        serve(layer(sample.plan().objects()));
    }

    private ImageLayers layers(ImageLayers.Sources sources) {
        return new ImageLayers(client, sources, isServed::get, plans, pulls.contents(), events);
    }

    @AfterEach
    void close() throws IOException {
        layers.close();
        client.close();
        pulls.close();
        store.close();
        service.close();
        registry.close();
    }

    private byte[] layer(List<PlanObject> objects) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            add(tar, new byte[BYTES]);
            for (PlanObject object : objects) {
                add(tar, sample.content(object.digest()));
            }
        }
        return bytes.toByteArray();
    }

    private static void add(TarArchiveOutputStream tar, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry("file");
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private void serve(byte[] bytes) {
        layer = bytes;
        registry.on("/v2/team/image/manifests/", exchange -> LoopbackServer.send(exchange, 200, manifest()));
        registry.on("/v2/team/image/blobs/" + Digest.of(bytes), exchange -> {
            requests.incrementAndGet();
            LoopbackServer.Answer answer = answers.poll();
            if (answer == null) {
                LoopbackServer.send(exchange, 200, bytes);
            } else {
                answer.to(exchange);
            }
        });
    }

    private byte[] manifest() {
        return """
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "layers": [
                 {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "%s", "size": %d}]}
                """.formatted(Digest.of(layer), layer.length).getBytes(StandardCharsets.UTF_8);
    }

    private ImageReference image() {
        return ImageReference.parse("127.0.0.1:" + registry.port() + "/team/image@" + Digest.of(manifest()));
    }

    private Digest object(int index) {
        return sample.plan().objects().get(index).digest();
    }

    private void bring(Digest object) throws Exception {
        layers.bring(object, false).get(30, TimeUnit.SECONDS);
    }

    private boolean hasAll() {
        return sample.plan().objects().stream().allMatch(object -> store.has(object.digest()));
    }

    @Test
    void oneReadingBringsEverythingForAllThatWait() throws Exception {
        List<CompletableFuture<Void>> waiting =
                List.of(layers.bring(object(0), false), layers.bring(object(3), true), layers.bring(object(14), false));
        for (CompletableFuture<Void> each : waiting) {
            each.get(30, TimeUnit.SECONDS);
        }
        Wait.until("everything", this::hasAll);
        assertThat(requests).hasValue(1);
    }

    @Test
    void aRegistryThatIsBusyOrBreaksOffIsAskedAgain() throws Exception {
        answers.add(exchange -> LoopbackServer.send(exchange, 429, ""));
        answers.add(exchange -> LoopbackServer.send(exchange, 503, ""));
        answers.add(exchange -> {
            exchange.sendResponseHeaders(200, layer.length);
            exchange.getResponseBody().write(layer, 0, layer.length / 2);
            exchange.getResponseBody().flush();
        });
        bring(object(14));
        Wait.until("everything", this::hasAll);
        assertThat(requests).hasValue(4);
    }

    @Test
    void aLayerThatIsNotWhatTheManifestSaysIsAnErrorAndNothingOfItIsBelieved() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (PlanObject object : sample.plan().objects()) {
                byte[] content = sample.content(object.digest()).clone();
                content[BYTES - 1]++;
                add(tar, content);
            }
        }
        assertThat(bytes.size()).isLessThanOrEqualTo(layer.length);
        answers.add(exchange -> LoopbackServer.send(exchange, 200, bytes.toByteArray()));
        assertThatThrownBy(() -> bring(object(14))).hasMessageContaining("as layer " + Digest.of(layer));
        assertThat(sample.plan().objects()).noneMatch(object -> store.has(object.digest()));
        assertThatThrownBy(() -> bring(object(14))).hasMessageContaining("as layer " + Digest.of(layer));
        assertThat(requests).as("it is not asked again for some seconds").hasValue(1);
    }

    @Test
    void aLayerThatDoesNotEndIsAnError() {
        Digest unknown = sample.plan().rest().getLast().digest();
        answers.add(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(layer(List.of()));
            for (int i = 0; i < 1000; i++) {
                exchange.getResponseBody().write(new byte[layer.length]);
            }
        });
        assertThatThrownBy(() -> bring(unknown)).hasMessageContaining("more than the " + layer.length + " bytes");
    }

    @Test
    void whatNoLayerHasIsNotLookedForAgain() throws Exception {
        PlanObject absent = sample.plan().rest().getLast();
        serve(layer(sample.plan().objects().stream()
                .filter(object -> !object.equals(absent))
                .toList()));
        assertThatThrownBy(() -> bring(absent.digest())).hasMessageContaining("no layer of image");
        assertThatThrownBy(() -> bring(absent.digest())).hasMessageContaining("no layer of image");
        assertThat(requests).hasValue(1);
        assertThat(store.has(object(0))).isTrue();
    }

    @Test
    void nothingMoreIsReadThanWaitedForWhereTheServiceIsThere() throws Exception {
        isServed.set(true);
        bring(object(0));
        Wait.until(
                "the end",
                () -> events.recent().stream()
                        .anyMatch(event -> event.text().contains("1 objects came by the layers")));
        assertThat(hasAll()).isFalse();
        bring(object(1));
        assertThat(requests).hasValue(2);
    }

    @Test
    void theImageOfAnotherPlanMayHaveIt() throws Exception {
        SamplePlan other = new SamplePlan(6, 4, 4, BYTES);
        plans.save(PlanCodec.encode(other.plan()), Optional.empty());
        try (ImageLayers one = layers(image -> image.equals(sample.plan().image()) ? List.of(image()) : List.of())) {
            Digest shared = other.plan().objects().getFirst().digest();
            assertThat(shared).isEqualTo(object(0));
            one.bring(shared, false).get(30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> one.bring(other.plan().rest().getFirst().digest(), false)
                            .get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("does not say where image");
        }
    }

    @Test
    void whatHasLeftTheNodeSinceIsReadAgain() throws Exception {
        bring(object(2));
        Wait.until("everything", this::hasAll);
        store.drop(object(2));
        bring(object(2));
        assertThat(store.has(object(2))).isTrue();
        assertThat(requests).hasValue(2);
    }
}
