package io.faasimage.node.containerd.catalogue;

import io.faasimage.api.function.CatalogueImage;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An image that the catalogue is to have.
 *
 * @param reference by which containers name it
 * @param manifest digest of this machine's manifest
 */
record WantedImage(ImageReference reference, Digest manifest) {
    /** Its name in containerd. */
    String name() {
        return reference.toString();
    }

    /** Those of a list, by name; of several registrations of a name the first counts, which is the newest. */
    static Map<String, WantedImage> of(List<CatalogueImage> list) {
        Map<String, WantedImage> wanted = new LinkedHashMap<>();
        for (CatalogueImage entry : list) {
            try {
                WantedImage image = new WantedImage(ImageReference.parse(entry.image()), Digest.parse(entry.digest()));
                wanted.putIfAbsent(image.name(), image);
            } catch (IllegalArgumentException e) {
                // A file of the service's machine, which no containerd pulls, is left out.
            }
        }
        return wanted;
    }
}
