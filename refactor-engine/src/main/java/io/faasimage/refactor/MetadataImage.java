package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;

/**
 * A metadata image that was written; it is an object too, named by the digest of its raw form.
 *
 * @param digest of the raw EROFS image
 * @param rawSize of it in bytes
 * @param file its zstd form, one frame with content size
 * @param storedSize of {@code file} in bytes
 */
public record MetadataImage(Digest digest, long rawSize, Path file, long storedSize) {}
