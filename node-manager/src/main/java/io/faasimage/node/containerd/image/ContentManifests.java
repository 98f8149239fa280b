package io.faasimage.node.containerd.image;

import com.google.protobuf.Timestamp;
import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.Info;
import containerd.services.content.v1.ContentOuterClass.ListContentRequest;
import containerd.services.content.v1.ContentOuterClass.ReadContentRequest;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.plans.lazy.PulledManifests;
import io.faasimage.node.plans.lazy.WantedLayer;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The manifests in the content stores of the node's containerds. A client stores manifest and configuration, and labels
 * the manifest with its references, before it requests the first layer. Thread-safe.
 *
 * <p>Implementation notes: which of several manifests whose layers begin alike is being pulled cannot be seen
 * (containerd 1.6.20 gives no time of the last label, and clocks are set back), so all of them are returned. They are
 * listed for each layer: an answer that is remembered would be that of another pull.
 */
public final class ContentManifests implements PulledManifests {
    private static final String CONFIG_LABEL = "containerd.io/gc.ref.content.config";
    private static final String MANIFESTS = "labels.\"" + CONFIG_LABEL + "\"";
    private static final Duration CALL = Duration.ofSeconds(5);

    private static final int MOST_CONFIGURATIONS = 4096;
    private static final int MAX_CONFIGURATION_BYTES = 8 << 20;

    private final List<ContainerdChannel> containerds;
    /** Chain IDs by the digest of the configuration. */
    private final Map<Digest, Optional<List<ChainId>>> chains = BoundedMap.lastUsed(MOST_CONFIGURATIONS);

    private final ImageSources sources;

    /** Searches in these containerds, by their numbers; {@code sources} learns how the clients name images. */
    public ContentManifests(List<ContainerdChannel> containerds, ImageSources sources) {
        this.containerds = List.copyOf(containerds);
        this.sources = sources;
    }

    @Override
    public List<Digest> of(WantedLayer layer) throws IOException {
        List<Digest> found = find(layer);
        // Of several manifests with the layer, it is not known which one is pulled by that name.
        if (found.size() == 1) {
            layer.reference().ifPresent(name -> sources.note(found.getFirst(), name));
        }
        return found;
    }

    private List<Digest> find(WantedLayer layer) throws IOException {
        if (layer.manifest().isPresent()) {
            return List.of(layer.manifest().get());
        }
        if (layer.containerd() > containerds.size() || layer.namespace().isEmpty()) {
            throw new IOException("the client does not name it, and --containerd does not name its containerd");
        }
        Channel channel = ClientInterceptors.intercept(
                containerds.get(layer.containerd() - 1).channel(),
                MetadataUtils.newAttachHeadersInterceptor(ContainerdCalls.inNamespace(layer.namespace())));
        List<Digest> manifests = new ArrayList<>();
        try {
            for (Info info : newestFirst(channel)) {
                // One that cannot be decided may have any layer.
                if (chains(channel, info)
                        .map(chains -> chains.contains(layer.chain()))
                        .orElse(true)) {
                    manifests.add(Digest.parse(info.getDigest()));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the content store has a manifest that is not named by a SHA-256 digest", e);
        } catch (StatusRuntimeException e) {
            throw new IOException("the content store could not be searched: " + e.getStatus(), e);
        }
        if (manifests.isEmpty()) {
            throw new IOException("no manifest in the content store has such a layer");
        }
        return manifests;
    }

    /** The manifests, in any namespace, whose images have this chain, those first whose top it is. */
    public List<Digest> with(ChainId chain) throws IOException {
        Set<Digest> tops = new LinkedHashSet<>();
        Set<Digest> others = new LinkedHashSet<>();
        for (ContainerdChannel containerd : containerds) {
            for (String namespace : ContainerdCalls.namespaces(containerd)) {
                with(chain, containerd, namespace).forEach((manifest, isTop) -> (isTop ? tops : others).add(manifest));
            }
        }
        tops.addAll(others);
        return List.copyOf(tops);
    }

    private Map<Digest, Boolean> with(ChainId chain, ContainerdChannel containerd, String namespace)
            throws IOException {
        Channel channel = ClientInterceptors.intercept(
                containerd.channel(),
                MetadataUtils.newAttachHeadersInterceptor(ContainerdCalls.inNamespace(namespace)));
        Map<Digest, Boolean> manifests = new LinkedHashMap<>();
        try {
            for (Info info : newestFirst(channel)) {
                List<ChainId> of = chains(channel, info).orElse(List.of());
                if (of.contains(chain)) {
                    manifests.put(Digest.parse(info.getDigest()), of.getLast().equals(chain));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the content store has a manifest that is not named by a SHA-256 digest", e);
        } catch (StatusRuntimeException e) {
            throw new IOException("the content store could not be searched: " + e.getStatus(), e);
        }
        return manifests;
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

    /** Chain IDs of a manifest's layers, none without its configuration; empty when they cannot be decided. */
    private Optional<List<ChainId>> chains(Channel channel, Info manifest) throws IOException {
        if (manifest.getLabelsMap().keySet().stream()
                .anyMatch(name -> name.startsWith(CONFIG_LABEL) && !name.equals(CONFIG_LABEL))) {
            // Several configurations: containerd unpacks all of them.
            return Optional.empty();
        }
        Digest configuration;
        try {
            configuration = Digest.parse(manifest.getLabelsOrDefault(CONFIG_LABEL, ""));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        synchronized (chains) {
            Optional<List<ChainId>> known = chains.get(configuration);
            if (known != null) {
                return known;
            }
        }
        Optional<List<ChainId>> read;
        try {
            read = ConfigurationChains.of(read(channel, configuration));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                // Nothing can be unpacked without it.
                return Optional.of(List.of());
            }
            throw e;
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
                // Not to be decided.
                return new byte[0];
            }
        }
        if (!Digest.of(bytes.toByteArray()).equals(digest)) {
            throw new IOException("the configuration " + digest + " is damaged");
        }
        return bytes.toByteArray();
    }
}
