package io.faasimage.store;

/**
 * The bounds of a store.
 *
 * @param maxObjectBytes largest object that is accepted, bytes
 * @param bufferBytes size of one write buffer
 * @param idleBuffers most buffers kept for the next write; more writers at a time allocate their own
 * @param verifyThreads threads that re-hash objects after a crash of the machine
 * @param verifyBytes most bytes re-hashed then; what is beyond is dropped, since it can be fetched again
 */
public record StoreLimits(long maxObjectBytes, int bufferBytes, int idleBuffers, int verifyThreads, long verifyBytes) {
    /** 64 GiB objects, 256 KiB buffers of which 16 are kept, two threads that re-hash at most 8 GiB. */
    public static final StoreLimits DEFAULT = new StoreLimits(64L << 30, 256 << 10, 16, 2, 8L << 30);

    /** Checks that all are positive. */
    public StoreLimits {
        if (maxObjectBytes <= 0 || bufferBytes <= 0 || idleBuffers <= 0 || verifyThreads <= 0 || verifyBytes < 0) {
            throw new IllegalArgumentException("limits of a store must be positive");
        }
    }
}
