package io.faasimage.store;

import io.faasimage.format.id.Digest;

/**
 * An object that is held.
 *
 * @param digest its name
 * @param bytes its size
 */
public record HeldObject(Digest digest, long bytes) {}
