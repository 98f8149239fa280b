package io.faasimage.api.start;

import java.time.Instant;

/**
 * One start with everything that its node reported: {@code GET /v1/starts/{id}}.
 *
 * @param summary as in lists
 * @param receivedAt when the service got it
 * @param record as the node sent it
 */
public record StartDetail(StartSummary summary, Instant receivedAt, StartRecord record) {}
