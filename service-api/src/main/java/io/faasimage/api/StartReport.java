package io.faasimage.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells of a start: body of {@code POST /v1/starts}, 64 KiB at most.
 *
 * @param image manifest digest
 * @param plan digest of the plan that it started with; null without one
 * @param node name of the node
 * @param startedAt when the container was asked for
 * @param kind how it went
 * @param coverage share of the start's reads whose object was held, 0 to 1; null when not known
 * @param misses objects that had to be fetched on demand before the start was over; {@value #MAX_MISSES} at most
 * @param millis duration of each phase by its name, {@value #MAX_PHASES} at most
 * @param bytes that came over the network
 * @param reason why the start went as it did, for people
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartReport(
        String image,
        @Nullable String plan,
        String node,
        Instant startedAt,
        @JsonProperty("class") Kind kind,
        @Nullable Double coverage,
        List<Miss> misses,
        Map<String, Long> millis,
        long bytes,
        @Nullable String reason) {
    /** Most misses of one report. */
    public static final int MAX_MISSES = 4096;

    /** Most phases of one report. */
    public static final int MAX_PHASES = 32;

    /** Longest name of a node or a phase, characters. */
    public static final int MAX_NAME_CHARS = 253;

    /** Longest reason, characters. */
    public static final int MAX_REASON_CHARS = 4096;

    /** Checks the limits, and copies the collections; absent ones are empty. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public StartReport {
        misses = misses == null ? List.of() : List.copyOf(misses);
        millis = millis == null ? Map.of() : Map.copyOf(millis);
        if (image == null || node == null || startedAt == null || kind == null) {
            throw new IllegalArgumentException("a start has 'image', 'node', 'startedAt' and 'class'");
        }
        FieldChecks.moment("startedAt", startedAt);
        FieldChecks.text("node", node, MAX_NAME_CHARS);
        FieldChecks.text("reason", reason, MAX_REASON_CHARS);
        if (node.isBlank()) {
            throw new IllegalArgumentException("'node' is blank");
        }
        if (coverage != null && !(coverage >= 0 && coverage <= 1)) {
            throw new IllegalArgumentException("'coverage' is " + coverage + "; it is 0 to 1");
        }
        if (misses.size() > MAX_MISSES || millis.size() > MAX_PHASES || bytes < 0) {
            throw new IllegalArgumentException(
                    "a start has at most " + MAX_MISSES + " misses and " + MAX_PHASES + " phases, and bytes from 0 on");
        }
        if (millis.entrySet().stream().anyMatch(e -> e.getKey().length() > MAX_NAME_CHARS || e.getValue() < 0)) {
            throw new IllegalArgumentException("a phase in 'millis' has a long name or a negative duration");
        }
    }

    /** How a start went. */
    public enum Kind {
        /** From a planned image, and all that was read was held or on its way. */
        @JsonProperty("lazy")
        LAZY,
        /** From a planned image, with objects fetched on demand. */
        @JsonProperty("misses")
        MISSES,
        /** As an ordinary image. */
        @JsonProperty("full")
        FULL,
        /** Not at all. */
        @JsonProperty("refused")
        REFUSED
    }

    /**
     * An object that was fetched on demand.
     *
     * @param object its digest
     * @param rank how many objects the start had read before it; null when not known
     * @param millis when it was asked for, after the start; null when not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Miss(
            String object, @Nullable Integer rank, @Nullable Long millis) {
        /** Checks the numbers. */
        public Miss {
            FieldChecks.needed("object", object);
            if ((rank != null && rank < 0) || (millis != null && millis < 0)) {
                throw new IllegalArgumentException("a miss has a negative rank or time");
            }
        }
    }
}
