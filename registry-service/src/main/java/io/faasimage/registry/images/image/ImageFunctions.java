package io.faasimage.registry.images.image;

import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Optional;

/** The functions of an image as images and starts need them; functions are above this package. */
public interface ImageFunctions {
    /** The names of an image's functions, oldest first. */
    List<String> names(Digest image);

    /** The readiness by which the end of a start of the image is known, if one of its functions declares it. */
    Optional<Readiness> readiness(Digest image);
}
