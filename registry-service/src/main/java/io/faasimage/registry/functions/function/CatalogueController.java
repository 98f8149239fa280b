package io.faasimage.registry.functions.function;

import io.faasimage.api.function.CatalogueImage;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/catalogue}. */
@RestController
class CatalogueController {
    private final Catalogue catalogue;

    CatalogueController(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * Lists the images of functions that have a plan, the last registered first, at most 2000; 304 to {@code
     * If-None-Match} while they are the same.
     */
    @GetMapping(path = "/v1/catalogue", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<List<CatalogueImage>> all() {
        Catalogue.Version now = catalogue.now();
        return ResponseEntity.ok().eTag(now.tag()).body(now.images());
    }
}
