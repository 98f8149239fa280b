package io.faasimage.registry.functions.overview;

import io.faasimage.api.overview.Overview;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/overview}: the whole in a few numbers. */
@RestController
class OverviewController {
    private final Overviews overviews;

    OverviewController(Overviews overviews) {
        this.overviews = overviews;
    }

    /** The present state of the service. */
    @GetMapping(path = "/v1/overview", produces = MediaType.APPLICATION_JSON_VALUE)
    Overview now() {
        return overviews.now().overview();
    }
}
