package io.faasimage.node.plans.partial;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;

/**
 * A large object that is on this node as a whole.
 *
 * @param digest of its content
 * @param size of its content, bytes
 * @param file where it lies
 */
public record WholeObject(Digest digest, long size, Path file) {}
