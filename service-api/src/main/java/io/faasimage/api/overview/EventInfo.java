package io.faasimage.api.overview;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event of a job or of a node.
 *
 * @param id grows with every event; a stream continues after one
 * @param at when it happened
 * @param source {@code job} or {@code node}
 * @param subject the job's id or the node's name
 * @param image manifest digest; null when it is not about one
 * @param severity how much it matters
 * @param topic {@code job}, or the part of the node it concerns
 * @param text one sentence
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventInfo(
        long id,
        Instant at,
        Source source,
        String subject,
        @Nullable String image,
        Severity severity,
        String topic,
        String text) {
    /** Where events come from. */
    public enum Source {
        @JsonProperty("job")
        JOB,
        @JsonProperty("node")
        NODE
    }

    /** How much an event matters. */
    public enum Severity {
        /** Normal course. */
        @JsonProperty("info")
        INFO,
        /** A fall-back: slower or less, but right. */
        @JsonProperty("fallback")
        FALLBACK,
        /** Something failed. */
        @JsonProperty("error")
        ERROR
    }
}
