package io.faasimage.refactor;

import io.faasimage.format.id.Digest;

/**
 * The location of a stored object.
 *
 * @param digest of the content
 * @param pack file name of the pack in the output directory
 * @param offset of the zstd frame in the pack, bytes
 * @param storedSize of the zstd frame, bytes
 * @param rawSize of the content, bytes
 */
public record ObjectLocation(Digest digest, String pack, long offset, long storedSize, long rawSize) {}
