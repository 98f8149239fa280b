package io.faasimage.refactor;

import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The engine that refactors images. Thread-safe; several refactorings may run at the same time. */
public final class RefactorEngine {
    private final EngineConfig config;

    /** An engine with these limits. */
    public RefactorEngine(EngineConfig config) {
        this.config = config;
    }

    /**
     * Reads the image's layers and writes its metadata images and the packs of the objects that {@code known} does not
     * have into {@code outDirectory}. The files have names made from their content, so that a second run writes the
     * same names; they appear when all are complete.
     *
     * @param trace of this image; a path that is not in the image is counted and left out
     * @throws RefactorException when the image cannot be read, is not valid or exceeds a limit, or the thread is
     *     interrupted; nothing is left behind
     */
    public RefactorResult refactor(
            ImageSource source,
            ResolvedImage image,
            Trace trace,
            Holdings known,
            Path outDirectory,
            ProgressListener progress)
            throws IOException {
        return refactor(source, image, new StartupSource.Traced(trace), known, outDirectory, progress)
                .orElseThrow();
    }

    /**
     * The same with a prefetch list from somewhere.
     *
     * @return empty when there is to be no plan; nothing is left behind then
     * @throws RefactorException as above
     */
    public Optional<RefactorResult> refactor(
            ImageSource source,
            ResolvedImage image,
            StartupSource startup,
            Holdings known,
            Path outDirectory,
            ProgressListener progress)
            throws IOException {
        if (startup instanceof StartupSource.Traced(Trace trace)
                && !trace.chain().equals(image.topChain())) {
            throw new RefactorException(
                    Kind.BAD_REQUEST,
                    "the trace is of layers " + trace.chain() + ", the image " + image.reference() + " has "
                            + image.topChain() + ": trace this image");
        }
        Files.createDirectories(outDirectory);
        try (WorkDirectory work = WorkDirectory.create(config.workDirectory());
                OutputFiles output = new OutputFiles(outDirectory);
                Refactoring refactoring =
                        new Refactoring(config, source, image, startup, known, work.path(), progress)) {
            Optional<RefactorResult> result = refactoring.run(output);
            if (result.isPresent()) {
                output.publish();
            }
            return result;
        } catch (RefactorException e) {
            throw new RefactorException(e.kind(), "could not refactor " + image.reference() + ": " + e.getMessage(), e);
        }
    }
}
