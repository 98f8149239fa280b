package io.faasimage.registry.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.config.ImageRegistrySettings;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The public layers of images. The layers of an image are public when a reference of it is of
 * {@code faasimage.public-images}, as are the same layers below another image: as far as the tenant itself or the
 * operators, in the default tenant, have registered such an image. What other tenants have registered has no influence.
 * Thread-safe.
 */
@Component
public class PublicLayers {
    private final ImageTable images;
    private final ImageRegistrySettings settings;

    PublicLayers(ImageTable images, ImageRegistrySettings settings) {
        this.images = images;
        this.settings = settings;
    }

    /** How many layers of an image of the current tenant are public, from the lowest. */
    public int count(Digest image) {
        if (settings.publicImages().isEmpty()) {
            return 0;
        }
        List<ChainId> chains = images.chains(image);
        return Math.max(count(chains), TenantScope.call(TenantName.DEFAULT, () -> count(chains)));
    }

    private int count(List<ChainId> chains) {
        for (int layers = chains.size(); layers > 0; layers--) {
            if (images.withTop(chains.get(layers - 1)).stream().anyMatch(this::isPublic)) {
                return layers;
            }
        }
        return 0;
    }

    private boolean isPublic(ImageRow image) {
        return images.references(image.digest()).stream()
                .anyMatch(reference -> ImageLocation.parse(reference) instanceof ImageLocation.Remote remote
                        && settings.isPublic(remote.reference()));
    }
}
