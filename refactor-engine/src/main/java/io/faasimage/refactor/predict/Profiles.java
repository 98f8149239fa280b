package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import java.util.Optional;

/** The profiles of libraries and runtimes. */
@FunctionalInterface
public interface Profiles {
    /** The profile of a library; of its nearest version where there is none of this one. */
    Optional<Profile> of(Library library);
}
