package io.faasimage.registry.job;

import io.faasimage.refactor.EngineConfig;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorEngine;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.StartupSource;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.piece.PieceRules;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.image.EngineImages;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.image.PublicLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A refactoring with the refactor engine, from the reference under which the image or one of its functions was
 * registered.
 */
final class EngineRefactoring implements Refactoring {
    private final EngineImages images;
    private final ImageTable table;
    private final EngineWarmUp warmUp;
    private final RegistrySettings settings;
    private final PublicLayers publicLayers;

    EngineRefactoring(
            EngineImages images,
            ImageTable table,
            PublicLayers publicLayers,
            EngineWarmUp warmUp,
            RegistrySettings settings) {
        this.images = images;
        this.table = table;
        this.publicLayers = publicLayers;
        this.warmUp = warmUp;
        this.settings = settings;
    }

    @Override
    public Optional<RefactorResult> run(
            ImageRow image, StartupSource startup, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        warmUp.stop();
        EngineConfig config = EngineConfig.defaults(work.resolve("layers"), settings.workers())
                .within(images.options().budget())
                .withPublicLayers(publicLayers.count(image.digest()));
        RefactorEngine engine = new RefactorEngine(settings.pieces() ? config.withPieces(PieceRules.USUAL) : config);
        try (Opened opened = open(image)) {
            return engine.refactor(
                    opened.source(),
                    opened.image(),
                    startup,
                    known,
                    Files.createDirectories(work.resolve("out")),
                    progress);
        }
    }

    private record Opened(ImageSource source, ResolvedImage image) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    /** The image at the first of its references where it is found; the failure of the newest one when it is nowhere. */
    private Opened open(ImageRow image) throws IOException {
        IOException failure = null;
        for (String reference : table.references(image.digest())) {
            try {
                return open(reference, image);
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

    private Opened open(String reference, ImageRow image) throws IOException {
        ImageSource source = images.open(reference, image.digest());
        try {
            ResolvedImage resolved = images.resolve(source, reference);
            if (!resolved.manifest().equals(image.digest())) {
                throw new RefactorException(
                        RefactorException.Kind.NOT_FOUND,
                        reference + " names another image now, " + resolved.manifest()
                                + "; register its function again");
            }
            images.signature(source, resolved, table.index(image.digest()))
                    .ifPresent(signature -> table.signed(image.digest(), signature));
            return new Opened(source, resolved);
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }
}
