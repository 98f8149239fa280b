package io.faasimage.refactor.artifact;

import io.faasimage.format.FormatException;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.Signer;
import io.faasimage.oci.Artifacts;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciPush;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers;
import io.faasimage.oci.Referrers.Referrer;
import io.faasimage.refactor.MetadataImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The publication of plans beside their images: one OCI artifact for each platform's manifest, whose subject that is
 * (OCI image specification 1.1). At most {@value #KEPT} stay beside an image; a newer one uses packs of earlier ones.
 * Thread-safe.
 */
public final class PlanPublisher {
    private static final int KEPT = 2;
    private static final int MAX_MANIFEST_BYTES = 4 << 20;
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String EMPTY = "application/vnd.oci.empty.v1+json";
    private static final byte[] NOTHING = {'{', '}'};

    private final OciRegistry registry;
    private final OciPush push;
    private final Artifacts artifacts;
    private final Signer signer;

    /** Publications at {@code registry}, of plans that {@code signer} signs. */
    public PlanPublisher(OciRegistry registry, Signer signer) {
        this.registry = registry;
        this.push = new OciPush(registry);
        this.artifacts = new Artifacts(registry);
        this.signer = signer;
    }

    /**
     * A plan to be published.
     *
     * @param image with the digest of its manifest
     * @param plan of that image
     * @param platform of the image, such as {@code linux/amd64}
     * @param predicted whether the plan is predicted
     * @param metadata the metadata images of all layers of the plan
     */
    public record Publication(
            ImageReference image, Plan plan, String platform, boolean predicted, List<MetadataImage> metadata) {
        public Publication {
            metadata = List.copyOf(metadata);
        }

        private Digest top() {
            return plan.layers().getLast().metadata();
        }

        /** Those of the layers below the top, with the blobs that they are in. */
        private Map<MetadataImage, BlobName> prefixes() throws IOException {
            Map<MetadataImage, BlobName> blobs = new LinkedHashMap<>();
            for (MetadataImage image : metadata) {
                if (!image.digest().equals(top())) {
                    Digest blob = Digest.of(Files.readAllBytes(image.file()));
                    blobs.put(image, new BlobName(blob, image.storedSize()));
                }
            }
            return blobs;
        }

        private byte[] topImage() throws IOException {
            for (MetadataImage image : metadata) {
                if (image.digest().equals(top())) {
                    return Files.readAllBytes(image.file());
                }
            }
            throw new IOException("the refactoring has no metadata image of the whole image");
        }
    }

    /**
     * A publication.
     *
     * @param artifact digest of its manifest
     * @param isNew whether it was not there before
     * @param byTag whether the registry has no referrers API, so that a tag names the artifact
     * @param sentBytes of the blobs that were uploaded
     * @param packBytes of all packs of the plan
     * @param removed older artifacts that were removed
     * @param kept older artifacts that the registry would not remove
     */
    public record Published(
            Digest artifact, boolean isNew, boolean byTag, long sentBytes, long packBytes, int removed, int kept) {}

    /** An artifact of this key that is there. */
    private record Earlier(Referrer referrer, ArtifactHead head) {}

    /**
     * Publishes a plan; nothing when the newest artifact of this key has the same.
     *
     * @param directory for the packs that are written
     */
    public Published publish(Publication publication, StoredFrames frames, Path directory, Instant now)
            throws IOException {
        ImageReference image = publication.image();
        byte[] encoded = PlanCodec.encode(publication.plan());
        Digest digest = Digest.of(encoded);
        Referrers there = registry.referrers(image, ArtifactTypes.ARTIFACT);
        List<Earlier> earlier = earlier(image, there);
        Optional<Earlier> same = earlier.stream()
                .limit(1)
                .filter(one -> Digest.of(one.head().plan()).equals(digest))
                .findFirst();
        if (same.isPresent()) {
            long bytes = same.get().head().packs().stream()
                    .mapToLong(ArtifactPack::size)
                    .sum();
            return new Published(same.get().referrer().manifest(), false, there.byTag(), 0, bytes, 0, 0);
        }
        List<PackFrames> packs = new ArrayList<>();
        for (Earlier one : earlier) {
            packs.addAll(PackFrames.of(one.head()));
        }
        StartPacks written = StartPacks.write(publication.plan(), frames, packs, directory);
        Map<MetadataImage, BlobName> prefixes = publication.prefixes();
        byte[] head = new ArtifactHead(
                        statement(digest, publication, now),
                        publication.predicted(),
                        encoded,
                        publication.topImage(),
                        prefixes.entrySet().stream()
                                .map(one -> new PrefixImage(one.getKey().digest(), one.getValue()))
                                .toList(),
                        written.packs())
                .encode();
        long sent = upload(image, written, prefixes, head);
        byte[] manifest = manifest(image, digest, head, written.packs(), prefixes.values(), now);
        boolean byTag = artifacts
                .attach(image, manifest, ArtifactTypes.ARTIFACT, annotations(digest, head, now))
                .byTag();
        int[] removed = removeOlder(image, there, Digest.of(manifest));
        return new Published(
                Digest.of(manifest),
                true,
                byTag,
                sent,
                written.packs().stream().mapToLong(ArtifactPack::size).sum(),
                removed[0],
                removed[1]);
    }

    private SignedDocument statement(Digest digest, Publication publication, Instant now) throws IOException {
        byte[] document = PlanStatement.of(digest, publication.plan(), publication.platform(), now)
                .encode();
        return new SignedDocument(document, signer.publicKey().ids().getFirst(), signer.sign(document));
    }

    /** Newest first. What another key signed may be anything. */
    private List<Earlier> earlier(ImageReference image, Referrers there) throws IOException {
        List<Earlier> earlier = new ArrayList<>();
        for (Referrer referrer : newestFirst(there)) {
            Optional<BlobName> head =
                    BlobName.parse(referrer.annotations().getOrDefault(ArtifactTypes.HEAD_ANNOTATION, ""));
            if (head.isPresent() && head.get().size() <= ArtifactHead.MAX_BYTES && earlier.size() < KEPT) {
                try {
                    byte[] bytes = registry.blob(
                            image,
                            head.get().digest(),
                            Math.toIntExact(head.get().size()));
                    ArtifactHead decoded = ArtifactHead.decode(bytes);
                    if (signer.publicKey().verify(decoded.statement())) {
                        earlier.add(new Earlier(referrer, decoded));
                    }
                } catch (FormatException e) {
                    // Of another version of this program, or damaged: it cannot be used again.
                    continue;
                } catch (OciException e) {
                    if (e.kind() == OciException.Kind.UNAVAILABLE) {
                        throw e;
                    }
                    // The registry has lost its head.
                    continue;
                }
            }
        }
        return earlier;
    }

    private static List<Referrer> newestFirst(Referrers there) {
        return there.list().stream()
                .sorted(Comparator.comparing(
                                (Referrer one) -> one.annotations().getOrDefault(ArtifactTypes.CREATED_ANNOTATION, ""))
                        .reversed())
                .toList();
    }

    private long upload(ImageReference image, StartPacks written, Map<MetadataImage, BlobName> prefixes, byte[] head)
            throws IOException {
        long sent = 0;
        for (Map.Entry<MetadataImage, BlobName> prefix : prefixes.entrySet()) {
            Path file = prefix.getKey().file();
            BlobName blob = prefix.getValue();
            sent += push.blob(image, blob.digest(), blob.size(), () -> Files.newInputStream(file)) ? blob.size() : 0;
        }
        for (StartPacks.Blob pack : written.written()) {
            sent += push.blob(image, pack.digest(), pack.size(), () -> Files.newInputStream(pack.file()))
                    ? pack.size()
                    : 0;
        }
        sent += push.blob(image, Digest.of(head), head.length, () -> new ByteArrayInputStream(head)) ? head.length : 0;
        push.blob(image, Digest.of(NOTHING), NOTHING.length, () -> new ByteArrayInputStream(NOTHING));
        return sent;
    }

    private byte[] manifest(
            ImageReference image,
            Digest plan,
            byte[] head,
            List<ArtifactPack> packs,
            Collection<BlobName> prefixes,
            Instant now)
            throws IOException {
        OciRegistry.Manifest subject = registry.manifest(image, MAX_MANIFEST_BYTES);
        JsonMapper json = JsonMapper.shared();
        ObjectNode root = json.createObjectNode();
        root.put("schemaVersion", 2).put("mediaType", MANIFEST).put("artifactType", ArtifactTypes.ARTIFACT);
        root.set("config", descriptor(json, EMPTY, Digest.of(NOTHING), NOTHING.length));
        ArrayNode layers = root.putArray("layers");
        layers.add(descriptor(json, ArtifactTypes.HEAD, Digest.of(head), head.length));
        packs.forEach(pack -> layers.add(descriptor(json, ArtifactTypes.PACK, pack.blob(), pack.size())));
        prefixes.forEach(
                prefix -> layers.add(descriptor(json, ArtifactTypes.METADATA, prefix.digest(), prefix.size())));
        root.set("subject", descriptor(json, subject.mediaType(), subject.digest(), subject.bytes().length));
        ObjectNode annotations = root.putObject("annotations");
        annotations(plan, head, now).forEach(annotations::put);
        return json.writeValueAsBytes(root);
    }

    private Map<String, String> annotations(Digest plan, byte[] head, Instant now) {
        return Map.of(
                ArtifactTypes.HEAD_ANNOTATION, new BlobName(Digest.of(head), head.length).toString(),
                ArtifactTypes.PLAN_ANNOTATION, plan.toString(),
                ArtifactTypes.KEY_ANNOTATION,
                        signer.publicKey().ids().getFirst().toString(),
                ArtifactTypes.CREATED_ANNOTATION,
                        Instant.ofEpochSecond(now.getEpochSecond()).toString());
    }

    private static ObjectNode descriptor(JsonMapper json, String type, Digest digest, long size) {
        return json.createObjectNode()
                .put("mediaType", type)
                .put("digest", digest.toString())
                .put("size", size);
    }

    /** All but the newest before this one; how many went, and how many the registry would not remove. */
    private int[] removeOlder(ImageReference image, Referrers there, Digest artifact) throws IOException {
        int removed = 0;
        int kept = 0;
        List<Referrer> older = newestFirst(there).stream()
                .filter(one -> !one.manifest().equals(artifact))
                .skip(KEPT - 1)
                .toList();
        for (Referrer one : older) {
            if (artifacts.detach(image, one.manifest())) {
                removed++;
            } else {
                kept++;
            }
        }
        return new int[] {removed, kept};
    }
}
