package io.faasimage.registry.access.page;

import io.faasimage.registry.access.page.Assets.Asset;
import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;

/** {@code /ui/assets}: files that browsers keep, since their addresses name their content. */
@PageController
class AssetController {
    private static final CacheControl FOREVER =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private final ObjectProvider<Assets> assets;

    AssetController(ObjectProvider<Assets> assets) {
        this.assets = assets;
    }

    @GetMapping("/ui/assets/{hash}/{name}")
    ResponseEntity<byte[]> asset(
            @PathVariable String hash,
            @PathVariable String name,
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, defaultValue = "") String encodings) {
        Asset asset = assets.getObject()
                .find(hash + "/" + name)
                .orElseThrow(() -> ProblemException.notFound("the pages have no such file; reload the page"));
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok()
                .cacheControl(FOREVER)
                .varyBy(HttpHeaders.ACCEPT_ENCODING)
                .contentType(MediaType.parseMediaType(asset.type()));
        return encodings.contains("gzip")
                ? answer.header(HttpHeaders.CONTENT_ENCODING, "gzip").body(asset.zipped())
                : answer.body(asset.bytes());
    }
}
