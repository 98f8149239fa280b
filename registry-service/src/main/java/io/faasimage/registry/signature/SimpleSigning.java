package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import tools.jackson.databind.JsonNode;

/**
 * The payload that cosign signs.
 *
 * @see <a href="https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md">cosign's specification</a>
 */
final class SimpleSigning {
    private static final String NAME = "the signed payload";
    private static final String TYPE = "cosign container image signature";

    private SimpleSigning() {}

    /** Checks that a payload, whose signature has been verified, is of this manifest or index. */
    static void check(byte[] payload, Digest image) throws SignatureFault {
        JsonNode json = StrictJson.object(NAME, payload);
        if (!StrictJson.text(NAME, json, "critical", "type").equals(TYPE)) {
            throw new SignatureFault(NAME + " is not one of an image");
        }
        if (!StrictJson.text(NAME, json, "critical", "image", "docker-manifest-digest")
                .equals(image.toString())) {
            throw new SignatureFault(NAME + " is of another image");
        }
    }
}
