package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The signatures that notation stores as referrers of an image's manifest or index. Thread-safe.
 *
 * @see <a href="https://github.com/notaryproject/specifications/blob/main/specs/signature-specification.md">the Notary
 *     Project's specification</a>
 */
final class NotationSignatures {
    private static final String TYPE = "application/vnd.cncf.notary.signature";
    private static final Referrers.Kind KIND =
            new Referrers.Kind(TYPE, Set.of(TYPE), "application/jose+json", "notation sign --signature-format jws");

    private final Referrers referrers;

    NotationSignatures(AttachedFiles files, SignatureScan scan) {
        this.referrers = new Referrers(files, scan, KIND);
    }

    /** A signature of a manifest or index that is valid now. */
    Optional<VerifiedSignature> valid(Digest image, Requirement.Notation rule, Instant now) throws IOException {
        return referrers.first(image, envelope -> JwsEnvelope.parse(envelope).verify(image, rule, now));
    }
}
