package io.faasimage.registry.image;

import io.faasimage.api.login.PullLogin;
import io.faasimage.registry.problem.ProblemException;
import java.util.Optional;

/** A resolver of image references. */
public interface ImageResolver {
    /**
     * Reads the manifest and configuration that {@code reference} names.
     *
     * @param login of the one who asks, used for this repository before any that is stored
     * @throws ProblemException when the reference is malformed, nothing is there, or its registry cannot be used
     */
    RegisteredImage resolve(String reference, Optional<PullLogin> login);
}
