package io.faasimage.format.artifact;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The media types and annotations of plans as OCI artifacts. */
public final class ArtifactTypes {
    /** Artifact type of the manifest, whose subject is the image's. */
    public static final String ARTIFACT = "application/vnd.faasimage.plan.v1";

    /** The blob with the plan: the manifest's first layer. */
    public static final String HEAD = "application/vnd.faasimage.head.v1";

    /** A blob of frames, the manifest's other layers. */
    public static final String PACK = "application/vnd.faasimage.pack.v1";

    /** A blob with the metadata image of some of the image's layers. */
    public static final String METADATA = "application/vnd.faasimage.metadata.v1+zstd";

    /** Annotation: digest and size of the head, {@code sha256:HEX/BYTES}, so that no manifest has to be read first. */
    public static final String HEAD_ANNOTATION = "io.faasimage.head";

    /** Annotation: digest of the plan. */
    public static final String PLAN_ANNOTATION = "io.faasimage.plan";

    /** Annotation: ID of the key that signed the plan. */
    public static final String KEY_ANNOTATION = "io.faasimage.key";

    /** Annotation: when it was made, RFC 3339. */
    public static final String CREATED_ANNOTATION = "org.opencontainers.image.created";

    private static final Duration SKEW = Duration.ofHours(1);

    private ArtifactTypes() {}

    /** When an artifact was made, as text that can be compared; a time of the future wins nothing. */
    public static String created(Map<String, String> annotations) {
        String created = annotations.getOrDefault(CREATED_ANNOTATION, "");
        return created.compareTo(Instant.now().plus(SKEW).toString()) > 0 ? "" : created;
    }
}
