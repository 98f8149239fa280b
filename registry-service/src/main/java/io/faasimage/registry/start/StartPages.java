package io.faasimage.registry.start;

import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartProfileInfo;
import io.faasimage.api.start.StartProfileInfo.Spread;
import io.faasimage.registry.page.Figures;
import io.faasimage.registry.page.PageController;
import io.faasimage.registry.page.Pages;
import io.faasimage.registry.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** {@code /ui/starts}. */
@PageController
public class StartPages {
    /** Less is shown as nothing. */
    private static final double SHOWN_MILLIS = 0.05;

    private final Pages pages;
    private final Starts starts;
    private final StartProfiles profiles;

    StartPages(@Lazy Pages pages, Starts starts, StartProfiles profiles) {
        this.pages = pages;
        this.starts = starts;
        this.profiles = profiles;
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
        String reference = start.summary().reference();
        return pages.page(
                request,
                "overview",
                "start",
                new StartView(start, reference == null ? List.of() : profiles.of(reference)));
    }

    /**
     * What the page of one start shows.
     *
     * @param profiles of starts of its image
     */
    public record StartView(StartDetail start, List<StartProfileInfo> profiles) {
        /** Copies the list. */
        public StartView {
            profiles = List.copyOf(profiles);
        }
    }

    /** The categories that any part of a profile has, in the order in which they come first. */
    public static List<String> categories(StartProfileInfo profile) {
        return profile.parts().values().stream()
                .flatMap(categories -> categories.keySet().stream())
                .distinct()
                .toList();
    }

    /** The mean of one part in one category, in milliseconds; a dash where it has none. */
    public static String cell(@Nullable Spread spread) {
        return spread == null || spread.mean() < SHOWN_MILLIS ? "–" : "%.1f".formatted(spread.mean());
    }

    /** The mean of a whole part, in milliseconds. */
    public static String sum(Map<String, Spread> categories) {
        return "%.1f"
                .formatted(
                        categories.values().stream().mapToDouble(Spread::mean).sum());
    }

    /** Mean and deviation, in milliseconds. */
    public static String spread(Spread spread) {
        return "%.1f ± %.1f".formatted(spread.mean(), spread.deviation());
    }

    /** What a start waits for, longest first, in milliseconds. */
    public static String waits(StartProfileInfo profile) {
        return profile.waits().entrySet().stream()
                .sorted(Comparator.comparingDouble(wait -> -wait.getValue().mean()))
                .map(wait -> wait.getKey() + " " + spread(wait.getValue()))
                .collect(Collectors.joining(", "));
    }
}
