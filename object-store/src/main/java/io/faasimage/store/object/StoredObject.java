package io.faasimage.store.object;

import io.faasimage.format.id.Digest;

/**
 * An object that is present.
 *
 * @param digest its name
 * @param bytes its size
 */
public record StoredObject(Digest digest, long bytes) {}
