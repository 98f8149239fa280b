package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.DescriptorDigest;
import com.google.cloud.tools.jib.image.json.OciManifestTemplate;
import io.faasimage.format.id.Digest;
import java.security.DigestException;

/** An OCI manifest with gzip layers, to be pushed with {@link ImageTarget}. Not thread-safe. */
public final class PushedManifest {
    private final OciManifestTemplate template = new OciManifestTemplate();

    /** A manifest with this configuration and no layer. */
    public PushedManifest(Digest configuration, long size) {
        template.setContainerConfiguration(size, of(configuration));
    }

    /** Adds a layer above those that are there. */
    public void addLayer(Digest digest, long size) {
        template.addLayer(size, of(digest));
    }

    OciManifestTemplate template() {
        return template;
    }

    static DescriptorDigest of(Digest digest) {
        try {
            return DescriptorDigest.fromHash(digest.hex());
        } catch (DigestException e) {
            throw new IllegalStateException("a digest is a digest: " + digest, e);
        }
    }
}
