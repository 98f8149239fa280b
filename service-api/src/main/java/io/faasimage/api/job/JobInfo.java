package io.faasimage.api.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A refactor job.
 *
 * @param id unique
 * @param image manifest digest
 * @param state how far it is
 * @param phase its present step, for people
 * @param done progress within the phase
 * @param total of the phase; 0 when not known
 * @param error why it failed
 * @param created when it was queued
 * @param finished when it ended
 */
public record JobInfo(
        String id,
        String image,
        State state,
        String phase,
        long done,
        long total,
        @Nullable String error,
        Instant created,
        @Nullable Instant finished) {
    /** Life of a job. */
    public enum State {
        QUEUED,
        RUNNING,
        DONE,
        FAILED
    }
}
