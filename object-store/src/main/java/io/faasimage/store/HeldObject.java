package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.time.Instant;

/**
 * An object that is held.
 *
 * @param digest its name
 * @param bytes its size
 * @param written when it was put into its tier
 */
public record HeldObject(Digest digest, long bytes, Instant written) {}
