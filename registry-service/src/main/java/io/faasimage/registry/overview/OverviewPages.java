package io.faasimage.registry.overview;

import io.faasimage.api.overview.Overview;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.job.JobList.NamedJob;
import io.faasimage.registry.job.JobViews;
import io.faasimage.registry.page.PageController;
import io.faasimage.registry.page.Pages;
import io.faasimage.registry.start.SeriesQuery;
import io.faasimage.registry.start.StartQuery;
import io.faasimage.registry.start.Starts;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;

/** {@code /ui}. */
@PageController
public class OverviewPages {
    private static final int NEWEST_STARTS = 10;
    private static final int FAILING_JOBS = 5;
    private static final Duration SHOWN = Duration.ofHours(23);

    /**
     * What the overview shows.
     *
     * @param now in a few numbers
     * @param hours of the last day that had starts
     * @param starts the newest ones
     * @param failing newest jobs of images that cannot be refactored
     * @param until end of the last hour
     */
    public record OverviewPage(
            Overview now, List<StartHour> hours, List<StartSummary> starts, List<NamedJob> failing, Instant until) {
        /** Copies the lists. */
        public OverviewPage {
            hours = List.copyOf(hours);
            starts = List.copyOf(starts);
            failing = List.copyOf(failing);
        }
    }

    private final Pages pages;
    private final Overviews overviews;
    private final Starts starts;
    private final JobViews jobs;
    private final Clock clock;

    OverviewPages(@Lazy Pages pages, Overviews overviews, Starts starts, JobViews jobs, Clock clock) {
        this.pages = pages;
        this.overviews = overviews;
        this.starts = starts;
        this.jobs = jobs;
        this.clock = clock;
    }

    @GetMapping("/ui")
    ResponseEntity<byte[]> overview(HttpServletRequest request) {
        Instant now = clock.instant();
        SeriesQuery day = new SeriesQuery(null, null, null, now.minus(SHOWN), now);
        OverviewPage page = new OverviewPage(
                overviews.now(),
                starts.series(day),
                starts.list(StartQuery.newest(NEWEST_STARTS)).items(),
                jobs.failing(FAILING_JOBS),
                day.until());
        return pages.page(request, "overview", "overview", page);
    }
}
