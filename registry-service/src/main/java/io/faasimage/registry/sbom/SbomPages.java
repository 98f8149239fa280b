package io.faasimage.registry.sbom;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.page.PageController;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** {@code /ui/functions/{name}/sbom}: the download behind the button on a function's page. */
@PageController
class SbomPages {
    private final Sboms sboms;
    private final FunctionService functions;

    SbomPages(Sboms sboms, FunctionService functions) {
        this.sboms = sboms;
        this.functions = functions;
    }

    @GetMapping("/ui/functions/{name}/sbom")
    ResponseEntity<byte[]> download(@PathVariable String name) {
        byte[] document = sboms.cycloneDx(Digest.parse(functions.get(name).digest()));
        ContentDisposition file =
                ContentDisposition.attachment().filename(name + ".cdx.json").build();
        return ResponseEntity.ok()
                .header(HttpHeaders.CONTENT_DISPOSITION, file.toString())
                .contentType(MediaType.parseMediaType(CycloneDx.MEDIA_TYPE))
                .body(document);
    }
}
