package io.faasimage.format.partial;

import io.faasimage.format.id.Digest;

/**
 * A part of an object that lies in a node's pack.
 *
 * @param object whose part it is
 * @param offset where it begins in the object
 * @param length its bytes
 * @param packOffset where it begins in the pack
 */
public record PackExtent(Digest object, long offset, long length, long packOffset) {}
