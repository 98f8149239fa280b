package io.faasimage.gate.image;

import io.faasimage.format.id.Digest;
import java.util.Optional;

/**
 * A path below the mount: the digest of a metadata image, then names in it.
 *
 * @param image digest of the metadata image
 * @param inside path in it, one char per byte, without a slash at either end; empty for its root
 */
record ImagePath(Digest image, String inside) {
    private static final int HEX_DIGITS = 2 * Digest.BYTES;

    /** Reads an absolute path of one char per byte; empty when its first name is no digest. */
    static Optional<ImagePath> parse(String path) {
        int end = path.indexOf('/', 1);
        String first = path.substring(1, end < 0 ? path.length() : end);
        if (first.length() != HEX_DIGITS || !first.chars().allMatch(ImagePath::isHex)) {
            return Optional.empty();
        }
        return Optional.of(new ImagePath(new Digest(first), end < 0 ? "" : path.substring(end + 1)));
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
}
