package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.util.Map;
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

    /** The path of the index in its repository. */
    String path() {
        return "manifests/" + tag.qualifier();
    }

    /** The index at a host; empty when there is no such tag. */
    Optional<ReferrerIndex> read(Endpoint host) throws IOException {
        try (Answer answer = host.send(path(), OciRequest.get(Map.of("Accept", OciRegistry.MANIFESTS)))
                .answer()) {
            if (answer.status() / 100 == 2) {
                return Optional.of(ReferrerIndex.parse(OciRequests.whole(answer, OciRegistry.MAX_MANIFEST_BYTES)));
            }
            if (answer.status() == 404) {
                OciHttp.drop(answer);
                return Optional.empty();
            }
            OciException e = OciRequests.refusal(answer);
            throw new OciException(e.kind(), "could not get " + path() + ": " + e.getMessage(), e);
        }
    }

    /** The index that is to be written again, as the registry itself has it: a mirror's may be an older one. */
    Optional<ReferrerIndex> readToWrite(OciRegistry registry) throws OciException {
        return registry.requests().writing(tag, "read the referrers", this::read);
    }

    void write(OciPush push, ReferrerIndex index) throws OciException {
        push.manifest(tag, index.bytes(), OciRegistry.INDEX);
    }
}
