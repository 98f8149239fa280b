package io.faasimage.registry.functions.library;

import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/libraries}. */
@PageController
public class LibraryPages {
    private final Pages pages;
    private final LibraryViews libraries;

    LibraryPages(@Lazy Pages pages, LibraryViews libraries) {
        this.pages = pages;
        this.libraries = libraries;
    }

    /** The address of a list up to the page's number. */
    public static String address(LibraryList list) {
        return "/ui/libraries?" + Links.filter(list.query(), null);
    }

    @GetMapping("/ui/libraries")
    ResponseEntity<byte[]> libraries(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "1") int page) {
        return pages.page(request, "libraries", "libraries", libraries.list(q, page));
    }
}
