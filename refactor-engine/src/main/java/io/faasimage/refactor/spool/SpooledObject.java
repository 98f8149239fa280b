package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import java.nio.channels.FileChannel;

/**
 * A content in the spool: frames one behind the other in a file of it.
 *
 * @param digest of the content
 * @param channel of the file
 * @param offset of the first frame in the file, bytes
 * @param size of the content, bytes
 * @param level that it was compressed with
 * @param frames in which it is stored
 */
public record SpooledObject(
        Digest digest, FileChannel channel, long offset, long size, int level, ObjectFrames frames) {
    /** Bytes of its frames. */
    public long length() {
        return frames.storedSize();
    }
}
