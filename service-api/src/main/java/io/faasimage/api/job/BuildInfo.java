package io.faasimage.api.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A build of a function's image: {@code GET /v1/builds/{id}}.
 *
 * @param id unique
 * @param function that is built
 * @param runtime that it is built for
 * @param image reference that the image gets
 * @param state how far it is
 * @param phase what it does now, for people
 * @param done progress within the phase
 * @param total of the phase; 0 when not known
 * @param digest of the image's manifest, once it is there
 * @param error why it failed; with the end of what the package manager printed, if that is why
 * @param created when it was requested
 * @param finished when it ended
 */
public record BuildInfo(
        String id,
        String function,
        String runtime,
        String image,
        JobInfo.State state,
        String phase,
        long done,
        long total,
        @Nullable String digest,
        @Nullable String error,
        Instant created,
        @Nullable Instant finished) {}
