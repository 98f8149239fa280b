package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartDetail;
import io.faasimage.registry.access.page.Figures;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.platform.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** {@code /ui/starts}. */
@PageController
public class StartPages {
    private final Pages pages;
    private final Starts starts;

    StartPages(@Lazy Pages pages, Starts starts) {
        this.pages = pages;
        this.starts = starts;
    }

    /** The heading of a chart of starts by hour. */
    public static String plotTitle(String plot) {
        return switch (plot) {
            case "starts" -> "Starts by class";
            case "saved" -> "Bytes and time saved";
            default -> "Cold start, median by class";
        };
    }

    /** Time saved, in words. */
    public static String saved(long micros, boolean estimated) {
        return (estimated ? "≈\u00a0" : "") + (micros < 0 ? "−" : "") + Figures.millis(Math.abs(micros) / 1000.0);
    }

    /** The source of a sum of saved times, in words. */
    public static String savedHow(long compared, long estimated) {
        if (estimated == 0) {
            return compared == 0
                    ? "nothing to compare with"
                    : Figures.count(compared, "start", "starts") + " compared with full pulls";
        }
        return "estimated for " + Figures.count(estimated) + " of "
                + Figures.count(compared + estimated, "start", "starts");
    }

    @GetMapping("/ui/starts/{id}")
    ResponseEntity<byte[]> start(HttpServletRequest request, @PathVariable String id) {
        StartDetail start = starts.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "This start is unknown, or has been forgotten: starts are kept for some days."));
        return pages.page(request, "overview", "start", start);
    }
}
