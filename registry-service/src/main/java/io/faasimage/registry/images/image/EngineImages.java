package io.faasimage.registry.images.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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
import io.faasimage.registry.platform.config.BudgetSettings;
import io.faasimage.registry.platform.config.ImageRegistrySettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
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

    private static final int KEPT = 100;
    private static final Duration KEPT_FOR = Duration.ofMinutes(10);

    private final LayerIndexes indexes;
    private final VerifyCommand verifier;
    private final SourceOptions options;
    private final boolean localImages;
    private final Duration limit;
    /** Images that were just registered, for their first job. */
    private final Cache<Digest, ResolvedImage> registered =
            Caffeine.newBuilder().maximumSize(KEPT).expireAfterWrite(KEPT_FOR).build();

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
            verifier.verify(location, image.index().orElse(image.manifest()));
            registered.put(image.manifest(), image);
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
     * An image by the digest of its manifest where {@code reference} was found, whatever its tag names now, verified
     * again. The first time after its registration it is not read again.
     *
     * @param verified digest that the operator's command gets: of the manifest, or of the index that names it
     * @throws RefactorException when it is not there, or refused
     * @throws VerifyCommand.NoVerdict when the command neither accepted nor refused it
     */
    public ResolvedImage resolve(String reference, Digest manifest, Digest verified) throws IOException {
        ImageLocation location = parse(reference);
        ResolvedImage known = registered.asMap().remove(manifest);
        ResolvedImage image =
                known != null && known.reference().equals(location) ? known : resolve(location, reference, manifest);
        verifier.verify(location, verified);
        return image;
    }

    private ResolvedImage resolve(ImageLocation location, String reference, Digest manifest) throws IOException {
        ImageLocation fixed = location instanceof ImageLocation.Remote(var remote)
                ? new ImageLocation.Remote(remote.at(manifest))
                : location;
        try (ImageSource source = ImageSources.open(fixed, options)) {
            ResolvedImage image = resolve(source, reference);
            if (!image.manifest().equals(manifest)) {
                throw new RefactorException(
                        RefactorException.Kind.NOT_FOUND,
                        reference + " names another image now, " + image.manifest() + "; register its function again");
            }
            return image;
        }
    }

    /** Within the time that a registry may take: also one that lets connections hang, or sends a byte now and then. */
    private ResolvedImage resolve(ImageSource source, String reference) throws IOException {
        return limited(reference, () -> source.resolve(Platform.host()));
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
