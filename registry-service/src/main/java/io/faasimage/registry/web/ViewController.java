package io.faasimage.registry.web;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.view.FunctionDetail;
import io.faasimage.registry.view.FunctionList;
import io.faasimage.registry.view.FunctionViews;
import io.faasimage.registry.view.JobList;
import io.faasimage.registry.view.JobViews;
import io.faasimage.registry.view.LibraryList;
import io.faasimage.registry.view.LibraryViews;
import io.faasimage.registry.view.Redundancy;
import io.faasimage.registry.view.RedundancyViews;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/views}: what the pages at {@code /ui} show, as JSON. */
@RestController
@RequestMapping(path = "/v1/views", produces = MediaType.APPLICATION_JSON_VALUE)
class ViewController {
    private final FunctionViews functions;
    private final LibraryViews libraries;
    private final RedundancyViews redundancy;
    private final JobViews jobs;

    ViewController(FunctionViews functions, LibraryViews libraries, RedundancyViews redundancy, JobViews jobs) {
        this.functions = functions;
        this.libraries = libraries;
        this.redundancy = redundancy;
        this.jobs = jobs;
    }

    /** A page of functions whose name or image contains {@code q}. */
    @GetMapping("/functions")
    FunctionList functions(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable ImageState state,
            @RequestParam(defaultValue = "1") int page) {
        return functions.list(q, state, page);
    }

    /** One function with its libraries and versions. */
    @GetMapping("/functions/{name}")
    FunctionDetail function(@PathVariable String name) {
        return functions.get(name);
    }

    /** How much of their content functions whose name or image contains {@code q} have in common, pair by pair. */
    @GetMapping("/redundancy")
    Redundancy redundancy(
            @RequestParam(defaultValue = "") String q, @RequestParam(required = false) @Nullable Segment segment) {
        return redundancy.compare(q, segment);
    }

    /** A page of libraries whose name contains {@code q}. */
    @GetMapping("/libraries")
    LibraryList libraries(@RequestParam(defaultValue = "") String q, @RequestParam(defaultValue = "1") int page) {
        return libraries.list(q, page);
    }

    /** A page of jobs for functions whose name contains {@code q}, and the newest builds. */
    @GetMapping("/jobs")
    JobList jobs(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) JobInfo.@Nullable State state,
            @RequestParam(defaultValue = "1") int page) {
        return jobs.list(q, state, page);
    }
}
