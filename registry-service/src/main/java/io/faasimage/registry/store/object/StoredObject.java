package io.faasimage.registry.store.object;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.blob.Blob;

/**
 * The location of an object's zstd frames, or of some of them.
 *
 * @param digest of the raw content
 * @param blob that holds it
 * @param offset of the first frame in the file, bytes
 * @param storedLength of the frames, bytes
 * @param rawSize of the object's content, bytes
 */
public record StoredObject(Digest digest, Blob blob, long offset, long storedLength, long rawSize) {
    /** Checks the numbers. */
    public StoredObject {
        if (offset < 0 || storedLength <= 0 || rawSize < 0 || offset + storedLength < 0) {
            throw new IllegalArgumentException("location of " + digest + " out of range");
        }
    }

    /** First byte after the frames. */
    public long end() {
        return offset + storedLength;
    }
}
