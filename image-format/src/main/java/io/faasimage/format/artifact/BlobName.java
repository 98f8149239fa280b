package io.faasimage.format.artifact;

import io.faasimage.format.id.Digest;
import java.util.Optional;

/**
 * A blob in an annotation: {@code sha256:HEX/BYTES}.
 *
 * @param digest its digest
 * @param size of the blob, bytes, positive
 */
public record BlobName(Digest digest, long size) {
    /** Checks the size. */
    public BlobName {
        if (size < 1) {
            throw new IllegalArgumentException("a blob of " + size + " bytes");
        }
    }

    /** Parses what {@link #toString} gives; empty when it is something else. */
    public static Optional<BlobName> parse(String text) {
        int slash = text.indexOf('/');
        try {
            return slash < 0
                    ? Optional.empty()
                    : Optional.of(new BlobName(
                            Digest.parse(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return digest + "/" + size;
    }
}
