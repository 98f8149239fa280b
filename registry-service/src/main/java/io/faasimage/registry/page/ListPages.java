package io.faasimage.registry.page;

import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.view.JobViews;
import io.faasimage.registry.view.LibraryViews;
import io.faasimage.registry.view.RedundancyViews;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * {@code /ui/libraries}, {@code /ui/redundancy} and {@code /ui/jobs}; the way in at {@code /}, and what is not there.
 */
@Controller
class ListPages {
    private final Pages pages;
    private final LibraryViews libraries;
    private final RedundancyViews redundancy;
    private final JobViews jobs;

    ListPages(@Lazy Pages pages, LibraryViews libraries, RedundancyViews redundancy, JobViews jobs) {
        this.pages = pages;
        this.libraries = libraries;
        this.redundancy = redundancy;
        this.jobs = jobs;
    }

    @GetMapping("/")
    ResponseEntity<Void> root() {
        return ResponseEntity.status(303).location(URI.create("/ui")).build();
    }

    @GetMapping("/ui/libraries")
    ResponseEntity<byte[]> libraries(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "1") int page) {
        return pages.page(request, "libraries", "libraries", libraries.list(q, page));
    }

    @GetMapping("/ui/redundancy")
    ResponseEntity<byte[]> redundancy(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable Segment segment) {
        return pages.page(request, "redundancy", "redundancy", redundancy.compare(q, segment));
    }

    @GetMapping("/ui/jobs")
    ResponseEntity<byte[]> jobs(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) JobInfo.@Nullable State state,
            @RequestParam(defaultValue = "1") int page) {
        return pages.page(request, "jobs", "jobs", jobs.list(q, state, page));
    }

    @RequestMapping("/ui/**")
    ResponseEntity<byte[]> nothing() {
        throw ProblemException.notFound("There is no page at this address. Use the navigation.");
    }
}
