package io.faasimage.registry.web;

import io.faasimage.api.BundleRequest;
import io.faasimage.api.MediaTypes;
import io.faasimage.registry.bundle.Bundle;
import io.faasimage.registry.bundle.BundleService;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/bundles}. */
@RestController
class BundleController {
    private final BundleService bundles;

    BundleController(BundleService bundles) {
        this.bundles = bundles;
    }

    /** Sends what a node lacks of a plan. */
    @PostMapping(path = "/v1/bundles", consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaTypes.BUNDLE)
    void bundle(@RequestBody BundleRequest request, HttpServletResponse response) throws IOException {
        Bundle bundle = bundles.prepare(request);
        response.setContentType(MediaTypes.BUNDLE);
        response.setHeader("X-Faasimage-Plan", bundle.layout().digest().toString());
        ClientStream.send(response, out -> bundles.send(bundle, out));
    }
}
