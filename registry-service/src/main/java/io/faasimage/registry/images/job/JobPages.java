package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/jobs}. */
@PageController
public class JobPages {
    private final Pages pages;
    private final JobViews jobs;

    JobPages(@Lazy Pages pages, JobViews jobs) {
        this.pages = pages;
        this.jobs = jobs;
    }

    /** The address of a list up to the page's number. */
    public static String address(JobList list) {
        return "/ui/jobs?" + Links.filter(list.query(), list.state());
    }

    /** The state of a job, in words. */
    public static String label(JobInfo.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    @GetMapping("/ui/jobs")
    ResponseEntity<byte[]> jobs(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) JobInfo.@Nullable State state,
            @RequestParam(defaultValue = "1") int page) {
        return pages.page(request, "jobs", "jobs", jobs.list(q, state, page));
    }
}
