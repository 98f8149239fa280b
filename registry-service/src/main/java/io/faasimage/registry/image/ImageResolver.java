package io.faasimage.registry.image;

import io.faasimage.registry.problem.ProblemException;

/** Finds out what an image reference names now. */
public interface ImageResolver {
    /**
     * Reads the manifest and configuration that {@code reference} names.
     *
     * @throws ProblemException when the reference is malformed, nothing is there, or its registry cannot be used
     */
    RegisteredImage resolve(String reference);
}
