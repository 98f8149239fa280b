package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The in-toto statement in a bundle of cosign. An attestation has the same form, may be by the same key, and is no
 * signature: its predicate is another.
 *
 * @see <a href="https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md">in-toto's specification</a>
 */
final class SignedStatement {
    private static final String NAME = "the signed statement";
    private static final Set<String> TYPES =
            Set.of("https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1");
    private static final String SIGNATURE = "https://sigstore.dev/cosign/sign/v1";

    private SignedStatement() {}

    /** Checks that a statement, whose signature has been verified, is of this manifest or index. */
    static void check(byte[] payload, Digest image) throws SignatureFault {
        JsonNode json = StrictJson.object(NAME, payload);
        if (!TYPES.contains(StrictJson.text(NAME, json, "_type"))
                || !StrictJson.text(NAME, json, "predicateType").equals(SIGNATURE)) {
            throw new SignatureFault(NAME + " is not a signature of an image, but an attestation");
        }
        for (JsonNode subject : json.path("subject")) {
            if (subject.path("digest").path("sha256").asString("").equals(image.hex())) {
                return;
            }
        }
        throw new SignatureFault(NAME + " is of another image");
    }
}
