package io.faasimage.format.artifact;

import io.faasimage.format.id.Digest;

/**
 * The metadata image of some of an image's layers, from the lowest on, in a blob of its own. A node needs it for images
 * without a plan that have these layers, too.
 *
 * @param metadata digest of the raw image, as the plan names it
 * @param blob the image as one zstd stream
 */
public record PrefixImage(Digest metadata, BlobName blob) {}
