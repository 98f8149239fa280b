package io.faasimage.registry.sbom;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.web.Digests;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/images/{digest}/sbom} and {@code /v1/functions/{name}/sbom}. */
@RestController
class SbomController {
    private final Sboms sboms;
    private final FunctionService functions;

    SbomController(Sboms sboms, FunctionService functions) {
        this.sboms = sboms;
        this.functions = functions;
    }

    /** The packages of an image, with the files that traced starts read, as a CycloneDX document. */
    @GetMapping(path = "/v1/images/{digest}/sbom", produces = CycloneDx.MEDIA_TYPE)
    byte[] ofImage(@PathVariable String digest) {
        return sboms.cycloneDx(Digests.parse(digest));
    }

    /** The packages of the image that a function has now, as a CycloneDX document. */
    @GetMapping(path = "/v1/functions/{name}/sbom", produces = CycloneDx.MEDIA_TYPE)
    byte[] ofFunction(@PathVariable String name) {
        return sboms.cycloneDx(Digest.parse(functions.get(name).digest()));
    }
}
