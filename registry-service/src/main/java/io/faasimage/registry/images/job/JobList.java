package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.platform.list.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs: {@code GET /v1/views/jobs}.
 *
 * @param jobs newest first, with the functions of their images
 * @param state that they have; null for all
 * @param query text in a function's name; empty for all
 */
public record JobList(Slice<NamedJob> jobs, JobInfo.@Nullable State state, String query) {
    /**
     * A job and whom it is for.
     *
     * @param job the job
     * @param functions names of some functions of its image
     * @param image reference of the image; its digest when it is not registered any more
     */
    public record NamedJob(JobInfo job, List<String> functions, String image) {
        public NamedJob {
            functions = List.copyOf(functions);
        }
    }

    /** Whether anything waits or runs, so that a look in a moment shows something else. */
    public boolean live() {
        return jobs.rows().stream().anyMatch(row -> row.job().finished() == null);
    }
}
