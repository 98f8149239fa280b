package io.faasimage.registry.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageReference;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Reads images with the refactor engine's sources: OCI registries and, when allowed, files of this machine. Thread-safe. */
@Component
public class EngineImages implements ImageResolver {
    private final SourceOptions options;
    private final boolean localImages;

    EngineImages(RegistrySettings settings) {
        this.options = SourceOptions.defaults()
                .withInsecure(settings.insecureRegistries())
                .withDockerConfig(dockerConfig());
        this.localImages = settings.localImages();
    }

    /** Where Docker's own commands look. */
    private static Optional<Path> dockerConfig() {
        return Optional.ofNullable(System.getenv("DOCKER_CONFIG")).map(directory -> Path.of(directory, "config.json"));
    }

    @Override
    public RegisteredImage resolve(String reference) {
        try (ImageSource source = ImageSources.open(parse(reference), options)) {
            ResolvedImage image = source.resolve(Platform.host());
            return new RegisteredImage(
                    image.manifest(),
                    reference,
                    image.chainIds(),
                    image.layers().stream().map(LayerDescriptor::digest).toList(),
                    image.compressedSize());
        } catch (RefactorException e) {
            throw new ProblemException(kind(e.kind()), "image " + reference + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ProblemException(ProblemKind.IMAGE_SOURCE, "image " + reference + " could not be read: " + e, e);
        }
    }

    /** How image registries are reached. */
    public SourceOptions options() {
        return options;
    }

    /** Opens the image of this manifest digest where {@code reference} was found, whatever its tag names now. */
    public ImageSource open(String reference, Digest manifest) throws IOException {
        ImageReference parsed = parse(reference);
        if (parsed instanceof ImageReference.Remote remote) {
            parsed = new ImageReference.Remote(
                    remote.registry(), remote.repository(), remote.tag(), Optional.of(manifest));
        }
        return ImageSources.open(parsed, options);
    }

    private ImageReference parse(String reference) {
        ImageReference parsed;
        try {
            parsed = ImageReference.parse(reference);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    e.getMessage() + "; write [registry[:port]/]repository[:tag][@sha256:digest]",
                    e);
        }
        if (!localImages && !(parsed instanceof ImageReference.Remote)) {
            throw ProblemException.badRequest("image " + reference + " is a file of the service's machine;"
                    + " push it to a registry, or start the service with --faasimage.local-images=true");
        }
        return parsed;
    }

    private static ProblemKind kind(RefactorException.Kind kind) {
        return switch (kind) {
            case BAD_REQUEST -> ProblemKind.BAD_REQUEST;
            case NOT_FOUND -> ProblemKind.NOT_FOUND;
            case UNAVAILABLE, CANCELLED -> ProblemKind.IMAGE_SOURCE;
            case UNAUTHORIZED, DIGEST_MISMATCH, INVALID, UNSUPPORTED, LIMIT -> ProblemKind.IMAGE_UNUSABLE;
            case LOCAL -> ProblemKind.STORAGE;
        };
    }
}
