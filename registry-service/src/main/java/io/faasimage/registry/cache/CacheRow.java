package io.faasimage.registry.cache;

import io.faasimage.registry.blob.Blob;
import java.time.Instant;

/**
 * Learnt caches in the database.
 *
 * @param blob with the bytes
 * @param node that reported the start
 * @param learnt when it was reported
 */
public record CacheRow(Blob blob, String node, Instant learnt) {}
