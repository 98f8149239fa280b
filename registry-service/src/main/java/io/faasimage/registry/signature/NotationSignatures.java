package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The signatures that notation stores as referrers of an image's manifest or index. Thread-safe.
 *
 * @see <a href="https://github.com/notaryproject/specifications/blob/main/specs/signature-specification.md">the Notary
 *     Project's specification</a>
 */
final class NotationSignatures {
    private static final String TYPE = "application/vnd.cncf.notary.signature";
    private static final String JWS = "application/jose+json";
    private static final int MAX_ENVELOPE_BYTES = 256 << 10;
    private static final String NAME = "the signature's manifest";

    private final AttachedFiles files;
    private final SignatureScan scan;

    NotationSignatures(AttachedFiles files, SignatureScan scan) {
        this.files = files;
        this.scan = scan;
    }

    /** A signature of a manifest or index that is valid now. */
    Optional<VerifiedSignature> valid(Digest image, Requirement.Notation rule, Instant now) throws IOException {
        scan.place("the referrers of " + image);
        Optional<AttachedFiles.Document> index = files.referrers(image, TYPE);
        if (index.isEmpty()) {
            return Optional.empty();
        }
        JsonNode manifests;
        try {
            manifests = StrictJson.object("the list of referrers", bytes(index.get()))
                    .path("manifests");
        } catch (SignatureFault e) {
            throw new RefactorException(RefactorException.Kind.INVALID, String.valueOf(e.getMessage()), e);
        }
        for (JsonNode entry : manifests) {
            if (entry.path("artifactType").asString("").equals(TYPE) && scan.takes()) {
                try {
                    return Optional.of(JwsEnvelope.parse(envelope(entry)).verify(image, rule, now));
                } catch (SignatureFault e) {
                    scan.add(e);
                }
            }
        }
        return Optional.empty();
    }

    private byte[] envelope(JsonNode entry) throws IOException, SignatureFault {
        Digest digest = Attached.digest(StrictJson.text(NAME, entry, "digest"));
        AttachedFiles.Document document =
                files.manifest(digest).orElseThrow(() -> new SignatureFault("its manifest is not in the repository"));
        JsonNode layers = StrictJson.object(NAME, bytes(document)).path("layers");
        if (layers.size() != 1) {
            throw new SignatureFault(NAME + " has not exactly one envelope");
        }
        JsonNode layer = layers.path(0);
        if (!StrictJson.text(NAME, layer, "mediaType").equals(JWS)) {
            throw new SignatureFault("its envelope is not of the type " + JWS
                    + ", the only one that is supported (notation sign --signature-format jws)");
        }
        return Attached.blob(files, StrictJson.text(NAME, layer, "digest"), MAX_ENVELOPE_BYTES);
    }

    private static byte[] bytes(AttachedFiles.Document document) {
        return document.json().getBytes(StandardCharsets.UTF_8);
    }
}
