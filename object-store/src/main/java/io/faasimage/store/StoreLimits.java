package io.faasimage.store;

/**
 * The bounds of a store.
 *
 * @param maxObjectBytes largest object that is accepted, bytes
 * @param bufferBytes size of one write buffer
 * @param idleBuffers most buffers kept for the next write; more writers at a time allocate their own
 */
public record StoreLimits(long maxObjectBytes, int bufferBytes, int idleBuffers) {
    /** 64 GiB objects, 256 KiB buffers of which 16 are kept. */
    public static final StoreLimits DEFAULT = new StoreLimits(64L << 30, 256 << 10, 16);

    /** Checks that all are positive. */
    public StoreLimits {
        if (maxObjectBytes <= 0 || bufferBytes <= 0 || idleBuffers <= 0) {
            throw new IllegalArgumentException("limits of a store must be positive");
        }
    }
}
