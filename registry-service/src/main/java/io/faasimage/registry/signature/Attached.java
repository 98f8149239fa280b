package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;

/** The reading of a signature's blobs: what is not there or too large is the signature's fault, not the registry's. */
final class Attached {
    private Attached() {}

    static Digest digest(String text) throws SignatureFault {
        try {
            return Digest.parse(text);
        } catch (IllegalArgumentException e) {
            throw new SignatureFault("the signature's manifest names no valid digest", e);
        }
    }

    static byte[] blob(AttachedFiles files, String digest, int limit) throws IOException, SignatureFault {
        try {
            return files.blob(digest(digest), limit)
                    .orElseThrow(() -> new SignatureFault("what it signs is not in the repository"));
        } catch (RefactorException e) {
            if (e.kind() == RefactorException.Kind.LIMIT || e.kind() == RefactorException.Kind.DIGEST_MISMATCH) {
                throw new SignatureFault("what it signs is damaged, or has more than " + limit + " bytes", e);
            }
            throw e;
        }
    }
}
