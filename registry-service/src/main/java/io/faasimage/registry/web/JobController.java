package io.faasimage.registry.web;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.job.JobService;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/jobs} and the order for one. */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class JobController {
    private final JobService jobs;

    JobController(JobService jobs) {
        this.jobs = jobs;
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
}
