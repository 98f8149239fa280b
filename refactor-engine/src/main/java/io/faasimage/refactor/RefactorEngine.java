package io.faasimage.refactor;

import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.nio.file.Path;

/** Refactors images. Stateless and thread-safe; several refactorings may run at the same time. */
public final class RefactorEngine {
    private final EngineConfig config;

    /** An engine with these limits. */
    public RefactorEngine(EngineConfig config) {
        this.config = config;
    }

    /**
     * Reads the image's layers and writes its metadata images and the packs of the objects that {@code known} does not
     * hold into {@code outDirectory}.
     *
     * @throws RefactorException when the image cannot be read, is not valid or exceeds a limit; nothing is left behind
     */
    public RefactorResult refactor(
            ImageSource source,
            ResolvedImage image,
            Trace trace,
            ObjectIndex known,
            Path outDirectory,
            ProgressListener progress)
            throws IOException {
        java.util.Optional<RefactorResult> none = java.util.Optional.empty();
        return none.orElseThrow(() -> new RefactorException(RefactorException.Kind.UNSUPPORTED, "not yet: " + config));
    }
}
