package io.faasimage.registry.redundancy;

import io.faasimage.format.plan.Segment;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/views/redundancy}: what the page of redundancy shows, as JSON. */
@RestController
class RedundancyController {
    private final RedundancyViews redundancy;

    RedundancyController(RedundancyViews redundancy) {
        this.redundancy = redundancy;
    }

    /** How much of their content functions whose name or image contains {@code q} have in common, pair by pair. */
    @GetMapping(path = "/v1/views/redundancy", produces = MediaType.APPLICATION_JSON_VALUE)
    Redundancy redundancy(
            @RequestParam(defaultValue = "") String q, @RequestParam(required = false) @Nullable Segment segment) {
        return redundancy.compare(q, segment);
    }
}
