package io.faasimage.api.client;

import io.faasimage.api.function.CatalogueImage;
import java.util.List;

/**
 * The catalogue as the service answered it.
 *
 * @param images the last registered first
 * @param tag the answer's entity tag; a later request with it is answered only when something has changed
 */
public record CatalogueList(List<CatalogueImage> images, String tag) {
    public CatalogueList {
        images = List.copyOf(images);
    }
}
