package io.faasimage.registry;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageResolver;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.platform.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An image registry in memory: it has the images that a test pushed. */
public final class TestImages implements ImageResolver {
    private final Map<String, RegisteredImage> images = new ConcurrentHashMap<>();

    /** Pushes an image whose layers have these names; the same names give the same layers. */
    public RegisteredImage push(String reference, String... layers) {
        return push(0, reference, layers);
    }

    /** Pushes an image whose lowest {@code shown} layers the service has read before; it gets their bytes again. */
    public RegisteredImage push(int shown, String reference, String... layers) {
        List<Digest> diffIds = java.util.Arrays.stream(layers)
                .map(name -> Digest.of(name.getBytes(StandardCharsets.UTF_8)))
                .toList();
        RegisteredImage image = new RegisteredImage(
                Digest.of(reference.getBytes(StandardCharsets.UTF_8)),
                reference,
                ChainId.ofLayers(diffIds),
                diffIds,
                shown,
                1000,
                Optional.empty());
        images.put(reference, image);
        return image;
    }

    @Override
    public RegisteredImage resolve(String reference) {
        RegisteredImage image = images.get(reference);
        if (image == null) {
            throw ProblemException.notFound("image " + reference + " is not in the test's registry; push it");
        }
        return image;
    }
}
