package io.faasimage.registry.access.page;

import io.faasimage.registry.platform.problem.ProblemException;
import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** The entrance at {@code /}, and the page for unknown addresses. */
@PageController
class RootPages {
    @GetMapping("/")
    ResponseEntity<Void> root() {
        return ResponseEntity.status(303).location(URI.create("/ui")).build();
    }

    @RequestMapping("/ui/**")
    ResponseEntity<byte[]> nothing() {
        throw ProblemException.notFound("There is no page at this address. Use the navigation.");
    }
}
