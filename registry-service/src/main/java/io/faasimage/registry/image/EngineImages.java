package io.faasimage.registry.image;

import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.ShownLayers;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.registry.config.BudgetSettings;
import io.faasimage.registry.config.ImageRegistrySettings;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * A reader of images with the refactor engine's sources: OCI registries and, when allowed, files of this machine.
 * Thread-safe.
 */
@Component
public class EngineImages implements ImageResolver {
    private static final Logger LOG = LoggerFactory.getLogger(EngineImages.class);

    private final LayerIndexes indexes;
    private final VerifyCommand verifier;
    private final SourceOptions options;
    private final boolean localImages;
    private final Duration limit;

    EngineImages(
            RegistrySettings settings,
            ImageRegistrySettings registries,
            BudgetSettings budget,
            LayerIndexes indexes,
            VerifyCommand verifier) {
        this.verifier = verifier;
        this.indexes = indexes;
        this.options = SourceOptions.defaults().withRules(registries.rules()).withBudget(budget.budget());
        this.localImages = settings.localImages();
        this.limit = settings.resolveLimit();
    }

    @Override
    public RegisteredImage resolve(String reference) {
        ImageLocation location = parse(reference);
        try (ImageSource source = ImageSources.open(location, options)) {
            ResolvedImage image = resolve(source, reference);
            verify(reference, image.index().orElse(image.manifest()));
            return new RegisteredImage(
                    image.manifest(),
                    reference,
                    image.chainIds(),
                    image.layers().stream().map(LayerDescriptor::digest).toList(),
                    shown(source, image),
                    image.compressedSize(),
                    image.index());
        } catch (RefactorException e) {
            throw new ProblemException(kind(e.kind()), "image " + reference + ": " + e.getMessage(), e);
        } catch (VerifyCommand.NoVerdict e) {
            throw new ProblemException(ProblemKind.CANNOT_VERIFY, "image " + reference + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ProblemException(ProblemKind.IMAGE_SOURCE, "image " + reference + " could not be read: " + e, e);
        }
    }

    /**
     * Resolves an opened image, within the time that its registry may take: also one that lets connections hang, or
     * sends a byte now and then.
     */
    public ResolvedImage resolve(ImageSource source, String reference) throws IOException {
        return limited(reference, () -> source.resolve(Platform.host()));
    }

    /**
     * Verifies an image with the operator's command.
     *
     * @param digest of its manifest, or of the index that is known to name that
     * @throws RefactorException when the image is refused
     * @throws VerifyCommand.NoVerdict when the command neither accepted nor refused it
     */
    public void verify(String reference, Digest digest) throws IOException {
        verifier.verify(parse(reference), digest);
    }

    private <T> T limited(String reference, Callable<T> work) throws IOException {
        try {
            return TimedCall.run("resolve", limit, work);
        } catch (TimedCall.Late e) {
            throw new RefactorException(
                    RefactorException.Kind.UNAVAILABLE,
                    place(reference) + " did not answer within " + limit.toSeconds()
                            + " s; can this service reach it? --faasimage.resolve-limit is how long it may take",
                    e);
        } catch (InterruptedIOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new RefactorException(RefactorException.Kind.CANCELLED, "interrupted", e);
            }
            throw e;
        }
    }

    private String place(String reference) {
        return parse(reference) instanceof ImageLocation.Remote remote
                ? "the image registry " + remote.reference().registry()
                : "the file of the image " + reference;
    }

    /** Nodes do without the layers below only if this is known: an image that is refactored is read anyway. */
    private int shown(ImageSource source, ResolvedImage image) {
        try {
            ShownLayers layers = new ShownLayers(source, indexes::find);
            return limited(image.reference().toString(), () -> layers.count(image));
        } catch (IOException e) {
            LOG.warn("could not verify the layers of image {} at its registry: {}", image.reference(), e.toString());
            return 0;
        }
    }

    /** The options by which images are read. */
    public SourceOptions options() {
        return options;
    }

    /** Opens the image of this manifest digest where {@code reference} was found, whatever its tag names now. */
    public ImageSource open(String reference, Digest manifest) throws IOException {
        ImageLocation parsed = parse(reference);
        if (parsed instanceof ImageLocation.Remote remote) {
            parsed = new ImageLocation.Remote(remote.reference().at(manifest));
        }
        return ImageSources.open(parsed, options);
    }

    private ImageLocation parse(String reference) {
        ImageLocation parsed;
        try {
            parsed = ImageLocation.parse(reference);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        }
        if (parsed instanceof ImageLocation.Remote) {
            return parsed;
        }
        if (!localImages) {
            throw ProblemException.badRequest("image " + reference + " is a file of the service's machine;"
                    + " push it to a registry, or start the service with --faasimage.local-images=true");
        }
        return parsed;
    }

    private static ProblemKind kind(RefactorException.Kind kind) {
        return switch (kind) {
            case BAD_REQUEST -> ProblemKind.BAD_REQUEST;
            case NOT_FOUND -> ProblemKind.NOT_FOUND;
            case UNAVAILABLE, SLOW, CANCELLED -> ProblemKind.IMAGE_SOURCE;
            case UNAUTHORIZED, DIGEST_MISMATCH, INVALID, UNSUPPORTED, LIMIT -> ProblemKind.IMAGE_UNUSABLE;
            case LOCAL -> ProblemKind.STORAGE;
        };
    }
}
