package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.platform.problem.Digests;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/jobs}, {@code /v1/views/jobs} and the order for one. */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class JobController {
    private final JobService jobs;
    private final JobViews views;

    JobController(JobService jobs, JobViews views) {
        this.jobs = jobs;
        this.views = views;
    }

    /** Lists the jobs, newest first. */
    @GetMapping("/v1/jobs")
    List<JobInfo> all() {
        return jobs.all();
    }

    /** One job. */
    @GetMapping("/v1/jobs/{id}")
    JobInfo get(@PathVariable String id) {
        return jobs.get(id);
    }

    /** Queues a refactor job. */
    @PostMapping("/v1/images/{digest}/refactor")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobInfo refactor(@PathVariable String digest) {
        return jobs.refactor(Digests.parse(digest));
    }

    /** A page of jobs for functions whose name contains {@code q}, and the newest builds. */
    @GetMapping("/v1/views/jobs")
    JobList list(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) JobInfo.@Nullable State state,
            @RequestParam(defaultValue = "1") int page) {
        return views.list(q, state, page);
    }
}
