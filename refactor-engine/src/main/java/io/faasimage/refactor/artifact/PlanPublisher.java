package io.faasimage.refactor.artifact;

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
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.oci.Artifacts;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciPush;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers.Referrer;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.artifact.EarlierPlans.Earlier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    /** Earlier packs in a plan, so that a plan does not come in many small requests. */
    private static final int MOST_USED_AGAIN = 16;

    private static final int MAX_MANIFEST_BYTES = 4 << 20;
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String EMPTY = "application/vnd.oci.empty.v1+json";
    private static final byte[] NOTHING = {'{', '}'};

    private final OciRegistry registry;
    private final OciPush push;
    private final Artifacts artifacts;
    private final VerifyingKeys keys;

    /** Publications at {@code registry}, of plans that {@code keys} sign. */
    public PlanPublisher(OciRegistry registry, VerifyingKeys keys) {
        this.registry = registry;
        this.push = new OciPush(registry);
        this.artifacts = new Artifacts(registry);
        this.keys = keys;
    }

    /**
     * A plan to be published.
     *
     * @param image with the digest of its manifest
     * @param plan of that image
     * @param statement the signed statement of the plan
     * @param predicted whether the plan is predicted
     * @param metadata the metadata images of all layers of the plan
     */
    public record Publication(
            ImageReference image,
            Plan plan,
            SignedDocument statement,
            boolean predicted,
            List<MetadataImage> metadata) {
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

    /** Whether the newest artifact of these keys says that it has this plan; it may have lost its packs. */
    public boolean isBeside(ImageReference image, Digest plan) throws IOException {
        return new EarlierPlans(registry, keys, image)
                .own().stream()
                        .limit(1)
                        .anyMatch(
                                one -> plan.toString().equals(one.annotations().get(ArtifactTypes.PLAN_ANNOTATION)));
    }

    /**
     * Publishes a plan; nothing when the newest artifact of these keys has the same, and all of its packs. The same
     * statement, plan and metadata images make the same artifact.
     *
     * @param directory for the packs that are written
     */
    public Published publish(Publication publication, StoredFrames frames, Path directory) throws IOException {
        ImageReference image = publication.image();
        byte[] encoded = PlanCodec.encode(publication.plan());
        Digest digest = Digest.of(encoded);
        EarlierPlans there = new EarlierPlans(registry, keys, image);
        List<Earlier> earlier = there.newest(KEPT);
        List<PackFrames> packs = earlier.stream()
                .flatMap(one -> one.packs().stream())
                .limit(MOST_USED_AGAIN)
                .toList();
        StartPacks written = StartPacks.write(publication.plan(), frames, packs, directory);
        long packBytes = written.packs().stream().mapToLong(ArtifactPack::size).sum();
        if (!earlier.isEmpty() && earlier.getFirst().isAll(digest, written.packs())) {
            return new Published(earlier.getFirst().manifest(), false, there.areByTag(), 0, packBytes, 0, 0);
        }
        Map<MetadataImage, BlobName> prefixes = publication.prefixes();
        byte[] head = head(publication, encoded, prefixes, written.packs());
        long sent = upload(image, written, prefixes, head);
        Map<String, String> annotations = annotations(publication, digest, head);
        byte[] manifest = manifest(image, annotations, head, written.packs(), prefixes.values());
        boolean byTag = artifacts
                .attach(image, manifest, ArtifactTypes.ARTIFACT, annotations)
                .byTag();
        int[] removed = removeOlder(image, there.own(), Digest.of(manifest));
        return new Published(Digest.of(manifest), true, byTag, sent, packBytes, removed[0], removed[1]);
    }

    private static byte[] head(
            Publication publication, byte[] plan, Map<MetadataImage, BlobName> prefixes, List<ArtifactPack> packs)
            throws IOException {
        byte[] head = new ArtifactHead(
                        publication.statement(),
                        publication.predicted(),
                        plan,
                        publication.topImage(),
                        prefixes.entrySet().stream()
                                .map(one -> new PrefixImage(one.getKey().digest(), one.getValue()))
                                .toList(),
                        packs)
                .encode();
        if (head.length > ArtifactHead.MAX_BYTES) {
            throw new IOException("the plan of " + publication.image() + " with its metadata image has " + head.length
                    + " bytes, and nodes take " + ArtifactHead.MAX_BYTES);
        }
        return head;
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
            Map<String, String> annotations,
            byte[] head,
            List<ArtifactPack> packs,
            Collection<BlobName> prefixes)
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
        ObjectNode all = root.putObject("annotations");
        annotations.forEach(all::put);
        return json.writeValueAsBytes(root);
    }

    private static Map<String, String> annotations(Publication publication, Digest plan, byte[] head)
            throws IOException {
        SignedDocument signed = publication.statement();
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(ArtifactTypes.HEAD_ANNOTATION, new BlobName(Digest.of(head), head.length).toString());
        annotations.put(ArtifactTypes.PLAN_ANNOTATION, plan.toString());
        annotations.put(ArtifactTypes.KEY_ANNOTATION, signed.key().toString());
        annotations.put(
                ArtifactTypes.CREATED_ANNOTATION,
                PlanStatement.decode(signed.document()).made().toString());
        return annotations;
    }

    private static ObjectNode descriptor(JsonMapper json, String type, Digest digest, long size) {
        return json.createObjectNode()
                .put("mediaType", type)
                .put("digest", digest.toString())
                .put("size", size);
    }

    /**
     * Removes all of these but the newest before the one that was published, which is there in any case. Returns how
     * many went, and how many the registry would not remove.
     */
    private int[] removeOlder(ImageReference image, List<Referrer> own, Digest published) {
        int removed = 0;
        int kept = 0;
        List<Referrer> older = own.stream()
                .filter(one -> !one.manifest().equals(published))
                .skip(KEPT - 1)
                .toList();
        for (Referrer one : older) {
            try {
                boolean isRemoved = artifacts.detach(image, one.manifest());
                removed += isRemoved ? 1 : 0;
                kept += isRemoved ? 0 : 1;
            } catch (OciException e) {
                // A login of a build may push and not delete.
                kept++;
            }
        }
        return new int[] {removed, kept};
    }
}
