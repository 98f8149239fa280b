package io.faasimage.registry.image;

import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Optional;

/** The functions of an image as images and starts need them; functions are above this package. */
public interface ImageFunctions {
    /** The names of an image's functions, oldest first. */
    List<String> names(Digest image);

    /** How to tell that a start of the image is over, if one of its functions says so. */
    Optional<Readiness> readiness(Digest image);
}
