package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The manifests of one type that refer to an image's manifest or index, each with one envelope as its only layer.
 * Thread-safe.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#listing-referrers">the
 *     distribution specification</a>
 */
final class Referrers {
    private static final int MAX_ENVELOPE_BYTES = 256 << 10;
    private static final String NAME = "the signature's manifest";

    private final AttachedFiles files;
    private final SignatureScan scan;
    private final Kind kind;

    /**
     * A kind of signature.
     *
     * @param artifact type of the manifests
     * @param listed types that lists of referrers say these manifests have
     * @param envelope media type of their layer
     * @param advice how to make such envelopes
     */
    record Kind(String artifact, Set<String> listed, String envelope, String advice) {}

    Referrers(AttachedFiles files, SignatureScan scan, Kind kind) {
        this.files = files;
        this.scan = scan;
        this.kind = kind;
    }

    /** A check of one envelope; gives the signer. */
    @FunctionalInterface
    interface Check {
        VerifiedSignature run(byte[] envelope) throws SignatureFault;
    }

    /** The first envelope that passes the check. */
    Optional<VerifiedSignature> first(Digest image, Check check) throws IOException {
        scan.place("the referrers of " + image);
        Optional<AttachedFiles.Document> index = files.referrers(image, kind.artifact);
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
            if (kind.listed.contains(entry.path("artifactType").asString("")) && scan.takes()) {
                try {
                    return Optional.of(check.run(envelope(entry)));
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
        if (!StrictJson.text(NAME, layer, "mediaType").equals(kind.envelope)) {
            throw new SignatureFault("its envelope is not of the type " + kind.envelope
                    + ", the only one that is supported (" + kind.advice + ")");
        }
        return Attached.blob(files, StrictJson.text(NAME, layer, "digest"), MAX_ENVELOPE_BYTES);
    }

    private static byte[] bytes(AttachedFiles.Document document) {
        return document.json().getBytes(StandardCharsets.UTF_8);
    }
}
