package io.faasimage.registry.redundancy;

import io.faasimage.format.plan.Segment;
import io.faasimage.registry.page.PageController;
import io.faasimage.registry.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/redundancy}. */
@PageController
public class RedundancyPages {
    private final Pages pages;
    private final RedundancyViews redundancy;

    RedundancyPages(@Lazy Pages pages, RedundancyViews redundancy) {
        this.pages = pages;
        this.redundancy = redundancy;
    }

    /** A segment as {@link Redundancy#segment} has it. */
    public static String label(Segment segment) {
        return segment.name().toLowerCase(Locale.ROOT);
    }

    @GetMapping("/ui/redundancy")
    ResponseEntity<byte[]> redundancy(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable Segment segment) {
        return pages.page(request, "redundancy", "redundancy", redundancy.compare(q, segment));
    }
}
