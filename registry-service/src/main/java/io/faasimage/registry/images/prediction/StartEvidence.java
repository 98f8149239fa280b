package io.faasimage.registry.images.prediction;

import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.predict.Profiles;
import java.util.Optional;

/** The evidence of an image's starts when it is refactored. */
public sealed interface StartEvidence {
    /** A trace of its own starts. */
    record Traced(Trace trace) implements StartEvidence {}

    /**
     * Starts of others, from which the first one is predicted.
     *
     * @param inherited from an earlier image, if there is one
     * @param profiles of libraries and runtimes, which are used together with the static closure; empty when neither is
     */
    record Earlier(Optional<InheritedFiles> inherited, Optional<Profiles> profiles) implements StartEvidence {}
}
