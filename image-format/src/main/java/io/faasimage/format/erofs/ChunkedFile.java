package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import java.util.List;

/**
 * An object whose chunks lie in devices.
 *
 * @param content the object, which also gives the file its name
 * @param size in bytes, more than 0
 * @param runs where its chunks lie, in the order of the file
 */
public record ChunkedFile(Digest content, long size, List<ChunkRun> runs) {
    public ChunkedFile {
        runs = List.copyOf(runs);
        if (size <= 0) {
            throw new IllegalArgumentException("object " + content + " has no content");
        }
    }

    /** The number of its chunks; the last one may be shorter than {@code chunkBytes}. */
    long chunks(int chunkBytes) {
        return (size - 1) / chunkBytes + 1;
    }

    /** Fails unless the runs are all of its chunks, and lie within {@code devices}. */
    void check(int chunkBytes, List<Long> devices) {
        long left = size;
        for (ChunkRun run : runs) {
            if (run.chunks() > (left + chunkBytes - 1) / chunkBytes) {
                throw wrong("has runs behind its end");
            }
            long bytes = Math.min(left, run.chunks() * chunkBytes);
            long end = run.block() + Disk.roundUp(bytes, Disk.BLOCK) / Disk.BLOCK;
            if (run.device() > devices.size() || end > devices.get(run.device() - 1)) {
                throw wrong("has chunks behind the end of device " + run.device());
            }
            left -= bytes;
        }
        if (left > 0) {
            throw wrong("has no place for its last " + left + " bytes");
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("object " + content + " " + what);
    }
}
