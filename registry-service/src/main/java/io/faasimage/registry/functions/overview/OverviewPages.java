package io.faasimage.registry.functions.overview;

import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.functions.start.StartQuery;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.images.job.JobList.NamedJob;
import io.faasimage.registry.images.job.JobViews;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;

/** {@code /ui}. */
@PageController
public class OverviewPages {
    private static final int NEWEST_STARTS = 10;
    private static final int FAILING_JOBS = 5;

    /**
     * The content of the overview.
     *
     * @param day in a few numbers, and the hours of the last day that had starts
     * @param starts the newest ones
     * @param failing newest jobs of images that cannot be refactored
     */
    public record OverviewPage(Overviews.Day day, List<StartSummary> starts, List<NamedJob> failing) {
        public OverviewPage {
            starts = List.copyOf(starts);
            failing = List.copyOf(failing);
        }
    }

    private final Pages pages;
    private final Overviews overviews;
    private final Starts starts;
    private final JobViews jobs;

    OverviewPages(@Lazy Pages pages, Overviews overviews, Starts starts, JobViews jobs) {
        this.pages = pages;
        this.overviews = overviews;
        this.starts = starts;
        this.jobs = jobs;
    }

    @GetMapping("/ui")
    ResponseEntity<byte[]> overview(HttpServletRequest request) {
        OverviewPage page = new OverviewPage(
                overviews.now(), starts.list(StartQuery.newest(NEWEST_STARTS)).items(), jobs.failing(FAILING_JOBS));
        return pages.page(request, "overview", "overview", page);
    }
}
