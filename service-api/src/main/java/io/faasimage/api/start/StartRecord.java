package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.rest.FieldChecks;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One start of a container, as its node measured it. A value that the node does not know is null.
 *
 * @param id unique; made by the node, so that a record which is sent twice is kept once
 * @param startedAt the start's begin: the first request for the image when the start pulled it, else for the
 *     container
 * @param kind how it went
 * @param reason why, for people
 * @param cold whether something of the image had to be fetched for it
 * @param image manifest digest
 * @param chain chain ID of the image's layers
 * @param reference name by which the image was requested
 * @param function name of the function
 * @param plan digest of the plan that it started with
 * @param mode whether it waited for the whole prefetch list
 * @param phases the times of its phases
 * @param segments objects and bytes that were fetched, by segment
 * @param bytes that came over the network for it
 * @param reusedObjects objects of the prefetch list that were on the node before
 * @param reusedBytes their content
 * @param foreseen objects of the prefetch list
 * @param coverage share of the objects known to be read that the prefetch list named, 0 to 1
 * @param demanded objects that were fetched on demand
 * @param demands the first of these, {@value #MAX_DEMANDS} at most
 * @param misses digests of those that the plan has outside its prefetch list, or there in part, in the order of the
 *     reads, {@value #MAX_MISSES} at most: the next plan has them in its prefetch list
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartRecord(
        String id,
        Instant startedAt,
        @JsonProperty("class") StartKind kind,
        @Nullable String reason,
        boolean cold,
        @Nullable String image,
        @Nullable String chain,
        @Nullable String reference,
        @Nullable String function,
        @Nullable String plan,
        @Nullable StartMode mode,
        StartPhases phases,
        List<SegmentPull> segments,
        @Nullable Long bytes,
        @Nullable Long reusedObjects,
        @Nullable Long reusedBytes,
        @Nullable Long foreseen,
        @Nullable Double coverage,
        int demanded,
        List<DemandFetch> demands,
        List<String> misses) {
    /** Most demands of one record. */
    public static final int MAX_DEMANDS = 100;

    /** Most misses of one record. */
    public static final int MAX_MISSES = 400;

    /** Most records of one batch. */
    public static final int MAX_BATCH = 200;

    /** Most bytes of anything: a pebibyte. */
    public static final long MOST_BYTES = 1L << 50;

    /** Checks the limits, and copies the lists; absent ones are empty. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public StartRecord {
        phases = phases == null ? StartPhases.NONE : phases;
        segments = segments == null ? List.of() : List.copyOf(segments);
        demands = demands == null ? List.of() : List.copyOf(demands);
        misses = misses == null ? List.of() : List.copyOf(misses);
        FieldChecks.name("id", id);
        if (id.length() > 64) {
            throw FieldChecks.refused("id", "has at most 64 characters");
        }
        FieldChecks.moment("startedAt", startedAt);
        FieldChecks.needed("class", kind);
        FieldChecks.text("reason", reason, 1000);
        FieldChecks.digest("image", image);
        FieldChecks.digest("chain", chain);
        FieldChecks.text("reference", reference, 1000);
        FieldChecks.text("function", function, 253);
        FieldChecks.digest("plan", plan);
        FieldChecks.atMost("segments", segments.size(), 3);
        FieldChecks.range("bytes", bytes, MOST_BYTES);
        FieldChecks.range("reusedObjects", reusedObjects, Integer.MAX_VALUE);
        FieldChecks.range("reusedBytes", reusedBytes, MOST_BYTES);
        FieldChecks.range("foreseen", foreseen, Integer.MAX_VALUE);
        FieldChecks.share("coverage", coverage);
        FieldChecks.range("demanded", (long) demanded, Integer.MAX_VALUE);
        FieldChecks.atMost("demands", demands.size(), MAX_DEMANDS);
        FieldChecks.atMost("misses", misses.size(), MAX_MISSES);
        misses.forEach(miss -> FieldChecks.digest("misses", miss));
    }

    /** Microseconds until the last that is known of the start; 0 when nothing is. */
    public long lastMicros() {
        Stream<@Nullable Long> steps = Stream.of(
                phases.asked(),
                phases.firstByte(),
                phases.planned(),
                phases.requested(),
                phases.mounted(),
                phases.mayStart(),
                phases.created(),
                phases.firstProcess(),
                phases.ready(),
                phases.lastObject(),
                phases.refused());
        return Stream.of(
                        steps,
                        segments.stream().<@Nullable Long>map(SegmentPull::end),
                        demands.stream().<@Nullable Long>map(demand -> demand.at() + demand.waited()))
                .flatMap(times -> times)
                .mapToLong(time -> time == null ? 0 : time)
                .max()
                .orElse(0);
    }

    /** Microseconds until the container's program started, or else until it could; null when neither is known. */
    public @Nullable Long startMicros() {
        return phases.firstProcess() == null ? phases.mayStart() : phases.firstProcess();
    }

    /**
     * Microseconds until all that was read of the image while the start was watched was there: the later of {@code
     * mayStart}, {@code lastObject} and the last object on demand, which may be long after the function was ready. Null
     * when {@code mayStart} is not known.
     */
    public @Nullable Long totalMicros() {
        Long mayStart = phases.mayStart();
        if (mayStart == null) {
            return null;
        }
        Long last = phases.lastObject();
        long total = last == null ? mayStart : Math.max(mayStart, last);
        for (DemandFetch demand : demands) {
            total = Math.max(total, demand.at() + demand.waited());
        }
        return total;
    }
}
