package io.faasimage.oci;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.util.Optional;

/**
 * The tag {@code sha256-<hex>} of a manifest, at whose index clients list what refers to it when the registry does not.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema">the schema
 *     of these tags</a>
 */
record FallbackTag(ImageReference tag) {
    static FallbackTag of(ImageReference image, Digest manifest) {
        return new FallbackTag(new ImageReference(
                image.registry(), image.repository(), Optional.of("sha256-" + manifest.hex()), Optional.empty()));
    }

    /** The index; empty when there is no such tag. */
    Optional<ReferrerIndex> read(OciRegistry registry) throws OciException {
        byte[] json;
        try {
            json = registry.manifest(tag, OciRegistry.MAX_MANIFEST_BYTES).bytes();
        } catch (OciException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
        return Optional.of(registry.requests().trying(tag, "read the referrers", 1, () -> ReferrerIndex.parse(json)));
    }

    void write(OciPush push, ReferrerIndex index) throws OciException {
        push.manifest(tag, index.bytes(), OciRegistry.INDEX);
    }
}
