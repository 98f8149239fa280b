package io.faasimage.registry.functions.library;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/views/libraries}: the content of the page of libraries, as JSON. */
@RestController
class LibraryController {
    private final LibraryViews libraries;

    LibraryController(LibraryViews libraries) {
        this.libraries = libraries;
    }

    /** A page of libraries whose name contains {@code q}. */
    @GetMapping(path = "/v1/views/libraries", produces = MediaType.APPLICATION_JSON_VALUE)
    LibraryList libraries(@RequestParam(defaultValue = "") String q, @RequestParam(defaultValue = "1") int page) {
        return libraries.list(q, page);
    }
}
