package io.faasimage.registry.job;

import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.registry.image.EngineImages;
import io.faasimage.registry.image.ImageRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Refactors with the refactor engine, from where the image was registered. */
final class EngineRefactoring implements Refactoring {
    private final EngineImages images;
    private final EngineRehearsal rehearsal;

    EngineRefactoring(EngineImages images, EngineRehearsal rehearsal) {
        this.images = images;
        this.rehearsal = rehearsal;
    }

    @Override
    public RefactorResult run(ImageRow image, Trace trace, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        rehearsal.stop();
        RefactorEngine engine = new RefactorEngine(EngineConfig.defaults(work.resolve("layers")));
        try (ImageSource source = images.open(image.name(), image.digest())) {
            ResolvedImage resolved = source.resolve(Platform.host());
            if (!resolved.manifest().equals(image.digest())) {
                throw new RefactorException(
                        RefactorException.Kind.NOT_FOUND,
                        image.name() + " names another image now, " + resolved.manifest()
                                + "; register its function again");
            }
            return engine.refactor(
                    source, resolved, trace, known, Files.createDirectories(work.resolve("out")), progress);
        }
    }
}
