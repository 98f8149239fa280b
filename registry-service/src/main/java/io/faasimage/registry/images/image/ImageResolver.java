package io.faasimage.registry.images.image;

import io.faasimage.registry.platform.problem.ProblemException;

/** A resolver of image references. */
public interface ImageResolver {
    /**
     * Reads the manifest and configuration that {@code reference} names.
     *
     * @throws ProblemException when the reference is malformed, nothing is there, or its registry cannot be used
     */
    RegisteredImage resolve(String reference);
}
