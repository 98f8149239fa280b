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
 * <p>Implementation notes: which of several manifests whose layers begin alike is being pulled cannot be seen (containerd 1.6.20
 * gives no time of the last label, and clocks are set back), so all of them are returned. What was found answers for the other
 * layers of the pull.
 */
public final class ContentManifests implements PulledManifests {
    private static final String CONFIG_LABEL = "containerd.io/gc.ref.content.config";
    private static final String MANIFESTS = "labels.\"" + CONFIG_LABEL + "\"";
    private static final Duration CALL = Duration.ofSeconds(5);
    /** How long the layers of one pull follow one another. */
    private static final Duration PULL = Duration.ofSeconds(10);

    private static final int MOST_CONFIGURATIONS = 4096;
    private static final int MAX_CONFIGURATION_BYTES = 8 << 20;

    private final List<ContainerdChannel> containerds;
    private final Map<Wanted, Found> found = new LinkedHashMap<>();
    /** Chain IDs by the digest of the configuration. */
    private final Map<Digest, List<ChainId>> chains = bounded(MOST_CONFIGURATIONS);

    private record Wanted(int containerd, String namespace, ChainId chain) {}

    private record Stored(Digest digest, List<ChainId> layers) {}

    private record Found(List<Digest> manifests, long since) {}

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
    public List<Digest> of(WantedLayer layer) throws IOException {
        if (layer.manifest().isPresent()) {
            return List.of(layer.manifest().get());
        }
        Wanted wanted = new Wanted(layer.containerd(), layer.namespace(), layer.chain());
        Optional<List<Digest>> known = known(wanted);
        return known.isPresent() ? known.get() : search(wanted);
    }

    private Optional<List<Digest>> known(Wanted wanted) {
        long now = System.nanoTime();
        synchronized (found) {
            found.values().removeIf(at -> now - at.since() > PULL.toNanos());
            return Optional.ofNullable(found.get(wanted)).map(Found::manifests);
        }
    }

    private List<Digest> search(Wanted wanted) throws IOException {
        if (wanted.containerd() > containerds.size() || wanted.namespace().isEmpty()) {
            throw new IOException("the client does not name it, and --containerd does not name its containerd");
        }
        Channel channel = ClientInterceptors.intercept(
                containerds.get(wanted.containerd() - 1).channel(),
                MetadataUtils.newAttachHeadersInterceptor(Containerd.inNamespace(wanted.namespace())));
        List<Stored> stored = new ArrayList<>();
        try {
            for (Info info : newestFirst(channel)) {
                stored.add(new Stored(Digest.parse(info.getDigest()), chains(channel, info)));
            }
        } catch (StatusRuntimeException e) {
            throw new IOException("the content store could not be searched: " + e.getStatus(), e);
        }
        List<Digest> manifests = with(wanted.chain(), stored);
        if (manifests.isEmpty()) {
            throw new IOException("no manifest in the content store has such a layer");
        }
        long now = System.nanoTime();
        synchronized (found) {
            stored.stream()
                    .filter(manifest -> manifests.contains(manifest.digest()))
                    .flatMap(manifest -> manifest.layers().stream())
                    .distinct()
                    .forEach(chain -> found.put(
                            new Wanted(wanted.containerd(), wanted.namespace(), chain),
                            new Found(with(chain, stored), now)));
        }
        return manifests;
    }

    private static List<Digest> with(ChainId chain, List<Stored> stored) {
        return stored.stream()
                .filter(manifest -> manifest.layers().contains(chain))
                .map(Stored::digest)
                .toList();
    }

    private static List<Info> newestFirst(Channel channel) throws IOException {
        List<Info> manifests = new ArrayList<>();
        ContentGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL.toMillis(), TimeUnit.MILLISECONDS)
                .list(ListContentRequest.newBuilder().addFilters(MANIFESTS).build())
                .forEachRemaining(answer -> manifests.addAll(answer.getInfoList()));
        if (manifests.size() > MOST_CONFIGURATIONS) {
            throw new IOException("the content store has " + manifests.size() + " manifests, more than "
                    + MOST_CONFIGURATIONS + ": have the client name the one that it pulls");
        }
        manifests.sort(Comparator.comparing(ContentManifests::created).reversed());
        return manifests;
    }

    private static Instant created(Info info) {
        Timestamp time = info.getCreatedAt();
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
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
