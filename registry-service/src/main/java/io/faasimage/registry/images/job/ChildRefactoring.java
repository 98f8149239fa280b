package io.faasimage.registry.images.job;

import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.registry.images.child.ChildEngine;
import io.faasimage.registry.images.image.EngineImages;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.prediction.StartEvidence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A refactoring in a child process, from the reference under which the image or one of its functions was registered.
 * The service itself reads the image's documents only, and has them verified.
 */
final class ChildRefactoring implements Refactoring {
    private final EngineImages images;
    private final ImageTable table;
    private final ChildEngine engine;

    ChildRefactoring(EngineImages images, ImageTable table, ChildEngine engine) {
        this.images = images;
        this.table = table;
        this.engine = engine;
    }

    @Override
    public Optional<RefactorResult> run(
            ImageRow row, StartEvidence evidence, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        ResolvedImage image = resolved(row);
        Optional<Login> login = image.reference() instanceof ImageLocation.Remote(var reference)
                ? images.options().logins().find(reference)
                : Optional.empty();
        return engine.refactor(new ChildEngine.Task(image, login, evidence), known, work, progress);
    }

    /** By the first of its references where it is found; the failure of the newest one when it is nowhere. */
    private ResolvedImage resolved(ImageRow row) throws IOException {
        RefactorException failure = null;
        for (String reference : table.references(row.digest())) {
            try {
                return images.resolve(
                        reference, row.digest(), table.index(row.digest()).orElse(row.digest()));
            } catch (RefactorException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        throw failure == null
                ? new RefactorException(
                        RefactorException.Kind.NOT_FOUND, "the image was removed; register its function again")
                : failure;
    }
}
