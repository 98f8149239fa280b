package io.faasimage.node.image;

import com.google.protobuf.Timestamp;
import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.Info;
import containerd.services.content.v1.ContentOuterClass.ListContentRequest;
import containerd.services.content.v1.ContentOuterClass.ReadContentRequest;
import io.faasimage.api.Json;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.plan.PulledManifests;
import io.faasimage.node.plan.WantedLayer;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;

/**
 * The manifests in the content stores of the node's containerds. A client stores manifest and configuration, and labels the
 * manifest with what it refers to, before it asks for the first layer. Thread-safe.
 *
 * <p>Implementation notes: of several manifests whose layers begin alike, the one that was labelled last is the one that is
 * pulled; while two of them are pulled at once into one namespace they may be mistaken for one another, but there containerd
 * itself gives the layers of the first to the second. What was found answers for the other layers of the pull.
 */
public final class ContentManifests implements PulledManifests {
    private static final String CONFIG_LABEL = "containerd.io/gc.ref.content.config";
    private static final String MANIFESTS = "labels.\"" + CONFIG_LABEL + "\"";
    private static final Duration CALL = Duration.ofSeconds(5);
    /** How long the layers of one pull follow one another. */
    private static final Duration PULL = Duration.ofSeconds(10);
    /** The image that is pulled is among the last ones. */
    private static final int NEWEST = 64;

    private static final int MOST_CONFIGURATIONS = 1024;
    private static final int MAX_CONFIGURATION_BYTES = 8 << 20;

    private final List<ContainerdChannel> containerds;
    private final Map<Wanted, Found> found = new LinkedHashMap<>();
    /** Chain IDs by the digest of the configuration. */
    private final Map<Digest, List<ChainId>> chains = bounded(MOST_CONFIGURATIONS);

    private record Wanted(int containerd, String namespace, ChainId chain) {}

    private record Found(Digest manifest, long since) {}

    /** Searches in these containerds, by their numbers. */
    public ContentManifests(List<ContainerdChannel> containerds) {
        this.containerds = List.copyOf(containerds);
    }

    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    @Override
    public Digest of(WantedLayer layer) throws IOException {
        if (layer.manifest().isPresent()) {
            return layer.manifest().get();
        }
        Wanted wanted = new Wanted(layer.containerd(), layer.namespace(), layer.chain());
        Optional<Digest> known = known(wanted);
        return known.isPresent() ? known.get() : search(wanted);
    }

    private Optional<Digest> known(Wanted wanted) {
        long now = System.nanoTime();
        synchronized (found) {
            found.values().removeIf(at -> now - at.since() > PULL.toNanos());
            return Optional.ofNullable(found.get(wanted)).map(Found::manifest);
        }
    }

    private Digest search(Wanted wanted) throws IOException {
        if (wanted.containerd() > containerds.size() || wanted.namespace().isEmpty()) {
            throw new IOException("the client does not name it, and --containerd does not name its containerd");
        }
        Channel channel = ClientInterceptors.intercept(
                containerds.get(wanted.containerd() - 1).channel(),
                MetadataUtils.newAttachHeadersInterceptor(Containerd.inNamespace(wanted.namespace())));
        try {
            for (Info info : newest(channel)) {
                List<ChainId> layers = chains(channel, info);
                if (layers.contains(wanted.chain())) {
                    return remember(wanted, layers, Digest.parse(info.getDigest()));
                }
            }
        } catch (StatusRuntimeException e) {
            throw new IOException("the content store could not be searched: " + e.getStatus(), e);
        }
        throw new IOException("no manifest in the content store has such a layer");
    }

    private static List<Info> newest(Channel channel) {
        List<Info> manifests = new ArrayList<>();
        ContentGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL.toMillis(), TimeUnit.MILLISECONDS)
                .list(ListContentRequest.newBuilder().addFilters(MANIFESTS).build())
                .forEachRemaining(answer -> manifests.addAll(answer.getInfoList()));
        return manifests.stream()
                .sorted(Comparator.comparing(ContentManifests::updated).reversed())
                .limit(NEWEST)
                .toList();
    }

    private static Instant updated(Info info) {
        Timestamp time = info.getUpdatedAt();
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private Digest remember(Wanted wanted, List<ChainId> layers, Digest manifest) {
        Found now = new Found(manifest, System.nanoTime());
        synchronized (found) {
            layers.forEach(chain -> found.put(new Wanted(wanted.containerd(), wanted.namespace(), chain), now));
        }
        return manifest;
    }

    /** Chain IDs of a manifest's layers; none when its configuration cannot be read or is that of something else. */
    private List<ChainId> chains(Channel channel, Info manifest) {
        Digest configuration;
        try {
            configuration = Digest.parse(manifest.getLabelsOrDefault(CONFIG_LABEL, ""));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        synchronized (chains) {
            List<ChainId> known = chains.get(configuration);
            if (known != null) {
                return known;
            }
        }
        List<ChainId> read;
        try {
            read = ImageDocuments.chainsOf(Json.mapper().readTree(read(channel, configuration)));
        } catch (IOException | JacksonException | StatusRuntimeException e) {
            // Not here (yet), or of an artifact: no layer of it is asked for.
            return List.of();
        }
        synchronized (chains) {
            chains.put(configuration, read);
        }
        return read;
    }

    private static byte[] read(Channel channel, Digest digest) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        var answers = ContentGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL.toMillis(), TimeUnit.MILLISECONDS)
                .read(ReadContentRequest.newBuilder()
                        .setDigest(digest.toString())
                        .build());
        while (answers.hasNext()) {
            answers.next().getData().writeTo(bytes);
            if (bytes.size() > MAX_CONFIGURATION_BYTES) {
                throw new IOException("the configuration " + digest + " is too large");
            }
        }
        if (!Digest.of(bytes.toByteArray()).equals(digest)) {
            throw new IOException("the configuration " + digest + " is damaged");
        }
        return bytes.toByteArray();
    }
}
