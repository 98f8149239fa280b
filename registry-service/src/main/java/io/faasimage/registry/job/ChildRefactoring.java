package io.faasimage.registry.job;

import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.registry.child.ChildEngine;
import io.faasimage.registry.image.EngineImages;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.prediction.StartEvidence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A refactoring in a child process, from the reference under which the image or one of its functions was registered.
 * The service itself reads the image's documents only, and has them verified.
 */
final class ChildRefactoring implements Refactoring, AutoCloseable {
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
            ImageRow image, StartEvidence evidence, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        ImageLocation location = locate(image);
        Optional<Login> login = location instanceof ImageLocation.Remote(var reference)
                ? images.options().logins().find(reference)
                : Optional.empty();
        return engine.refactor(new ChildEngine.Task(location, image.digest(), login, evidence), known, work, progress);
    }

    @Override
    public void close() {
        engine.close();
    }

    /** The first of the image's references where it is found; the failure of the newest one when it is nowhere. */
    private ImageLocation locate(ImageRow image) throws IOException {
        IOException failure = null;
        for (String reference : table.references(image.digest())) {
            try {
                return locate(reference, image);
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

    private ImageLocation locate(String reference, ImageRow image) throws IOException {
        try (ImageSource source = images.open(reference, image.digest())) {
            ResolvedImage resolved = images.resolve(source, reference);
            if (!resolved.manifest().equals(image.digest())) {
                throw new RefactorException(
                        RefactorException.Kind.NOT_FOUND,
                        reference + " names another image now, " + resolved.manifest()
                                + "; register its function again");
            }
            images.verify(reference, table.index(image.digest()).orElse(image.digest()));
            return resolved.reference();
        }
    }
}
