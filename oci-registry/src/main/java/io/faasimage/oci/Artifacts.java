package io.faasimage.oci;

import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.Referrers.Referrer;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Artifacts of images (OCI 1.1): manifests with a {@code subject}. At a registry that does not list them itself, they
 * are listed by the index at the subject's fall-back tag. A registry has no conditional writes: of two writers who
 * change that index at the same moment, one is lost, and repeats what it did. Blocking; thread-safe.
 */
public final class Artifacts {
    private final OciRegistry registry;
    private final OciPush push;

    /**
     * An artifact that is pushed.
     *
     * @param manifest its digest
     * @param byTag whether the fall-back tag lists it, since the registry does not say that it does
     */
    public record Attached(Digest manifest, boolean byTag) {}

    /** Artifacts at registries, with the logins of {@code registry}. */
    public Artifacts(OciRegistry registry) {
        this.registry = registry;
        this.push = new OciPush(registry);
    }

    /**
     * Pushes an artifact, whose blobs are there. Once more does no harm.
     *
     * @param subject with the digest that the manifest's {@code subject} has
     * @param manifest of the artifact, in JSON
     * @param artifactType as in the manifest, for the fall-back tag
     * @param annotations as in the manifest, for the fall-back tag
     */
    public Attached attach(
            ImageReference subject, byte[] manifest, String artifactType, Map<String, String> annotations)
            throws OciException {
        checkSubject(digest(subject), manifest);
        Digest digest = Digest.of(manifest);
        if (push.manifest(subject.at(digest), manifest, OciRegistry.MANIFEST)) {
            return new Attached(digest, false);
        }
        FallbackTag tag = FallbackTag.of(subject, digest(subject));
        ReferrerIndex index = tag.readToWrite(registry).orElseGet(ReferrerIndex::empty);
        if (!index.contains(digest)) {
            Referrer added = new Referrer(digest, manifest.length, annotations);
            tag.write(push, index.with(added, artifactType));
        }
        return new Attached(digest, true);
    }

    /**
     * Removes an artifact: first from the fall-back tag, for registries refuse an index of manifests that are not
     * there.
     *
     * @param subject with its digest
     * @return whether the manifest was deleted; false when there is none, or the registry does not delete
     */
    public boolean detach(ImageReference subject, Digest artifact) throws OciException {
        FallbackTag tag = FallbackTag.of(subject, digest(subject));
        Optional<ReferrerIndex> index = tag.readToWrite(registry);
        if (index.isPresent() && index.get().contains(artifact)) {
            tag.write(push, index.get().without(artifact));
        }
        return push.delete(subject.at(artifact));
    }

    private static Digest digest(ImageReference subject) {
        return subject.digest().orElseThrow(() -> new IllegalArgumentException(subject + " is without a digest"));
    }

    private static void checkSubject(Digest subject, byte[] manifest) {
        String named;
        try {
            named = Json.mapper()
                    .readTree(manifest)
                    .path("subject")
                    .path("digest")
                    .asString("");
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the artifact's manifest is not JSON", e);
        }
        if (!named.equals(subject.toString())) {
            throw new IllegalArgumentException("the artifact's subject is '" + named + "', not " + subject);
        }
    }
}
