package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import java.nio.channels.FileChannel;

/**
 * A content in the spool: one zstd frame in a file of it.
 *
 * @param digest of the content
 * @param channel of the file
 * @param offset of the frame in the file, bytes
 * @param length of the frame, bytes
 * @param size of the content, bytes
 * @param level that it was compressed with
 */
public record SpooledFrame(Digest digest, FileChannel channel, long offset, long length, long size, int level) {}
