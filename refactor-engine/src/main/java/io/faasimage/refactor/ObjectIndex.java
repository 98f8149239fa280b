package io.faasimage.refactor;

import io.faasimage.format.id.Digest;

/** Which objects the registry already holds; these are not packed again. Must be thread-safe. */
@FunctionalInterface
public interface ObjectIndex {
    /** An index that holds nothing. */
    ObjectIndex EMPTY = digest -> false;

    /** True when the object of this digest is stored and stays so. */
    boolean contains(Digest digest);
}
