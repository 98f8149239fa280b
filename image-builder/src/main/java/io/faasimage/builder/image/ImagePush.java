package io.faasimage.builder.image;

import io.faasimage.builder.layer.LayerFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageTarget;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.SourceOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * The push of a built image: layers first, then the configuration, the manifest last, so that a tag never names half an
 * image.
 */
public final class ImagePush {
    private ImagePush() {}

    /**
     * Pushes {@code image}, whose runtime's layers come from {@code base}, to {@code target}.
     *
     * @param pushed is notified how many layers are there, after each
     * @return the digest of the manifest
     */
    public static Digest push(
            BuiltImage image, ImageSource base, ImageReference target, SourceOptions options, IntConsumer pushed)
            throws IOException {
        try (ImageTarget registry = new ImageTarget(target, options)) {
            int done = 0;
            for (LayerDescriptor layer : image.base().layers()) {
                registry.put(layer.digest(), () -> base.openLayer(layer), sameRegistry(image, target));
                pushed.accept(++done);
            }
            for (LayerFile layer : image.layers()) {
                registry.put(layer.digest(), () -> Files.newInputStream(layer.blob()), Optional.empty());
                pushed.accept(++done);
            }
            byte[] configuration = image.configuration();
            registry.put(Digest.of(configuration), () -> new ByteArrayInputStream(configuration), Optional.empty());
            return registry.push(image.manifest(configuration));
        }
    }

    private static Optional<String> sameRegistry(BuiltImage image, ImageReference target) {
        return image.base().reference() instanceof ImageLocation.Remote base
                        && base.reference().registry().equals(target.registry())
                ? Optional.of(base.reference().repository())
                : Optional.empty();
    }
}
