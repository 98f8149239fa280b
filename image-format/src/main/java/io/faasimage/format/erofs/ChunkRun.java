package io.faasimage.format.erofs;

/**
 * Chunks of a file that lie one behind the other in a device.
 *
 * @param chunks how many, at least 1
 * @param device number of the device, from 1
 * @param block where the first begins in it, in blocks of 4 KiB
 */
public record ChunkRun(long chunks, int device, long block) {
    /** Checks that the numbers are in range by themselves. */
    public ChunkRun {
        if (chunks < 1 || device < 1 || block < 0) {
            throw new IllegalArgumentException(
                    chunks + " chunks in device " + device + " from block " + block + " are no run of chunks");
        }
    }
}
