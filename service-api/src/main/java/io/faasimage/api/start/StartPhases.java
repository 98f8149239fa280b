package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.rest.FieldChecks;
import org.jspecify.annotations.Nullable;

/**
 * The times of the phases of one start: microseconds after its begin, by the node's monotonic clock. A phase that was
 * not measured is null.
 *
 * @param asked the plan was requested from registry-service
 * @param firstByte the first byte of its answer came
 * @param planned plan and metadata image were on the node's disk
 * @param requested the root file system was requested by containerd
 * @param mounted the metadata image was mounted
 * @param mayStart the root file system was ready for containerd
 * @param created the container was made; known when the node receives containerd's events
 * @param firstProcess the image's first program was executed; known when the node receives containerd's events, or
 *     traced it
 * @param ready the function answered its readiness probe; known for traced starts of functions that are registered
 *     with one
 * @param lastObject the last object of the prefetch list was there
 * @param refused the root file system was found impossible to make
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartPhases(
        @Nullable Long asked,
        @Nullable Long firstByte,
        @Nullable Long planned,
        @Nullable Long requested,
        @Nullable Long mounted,
        @Nullable Long mayStart,
        @Nullable Long created,
        @Nullable Long firstProcess,
        @Nullable Long ready,
        @Nullable Long lastObject,
        @Nullable Long refused) {
    /** Nothing was measured. */
    public static final StartPhases NONE =
            new StartPhases(null, null, null, null, null, null, null, null, null, null, null);

    /** Longest time from a start's begin, microseconds: a day. */
    public static final long MOST_MICROS = 86_400_000_000L;

    /** When the step began that ended with {@code mayStart}; null when not known. */
    public @Nullable Long beginOfMayStart() {
        return mounted == null ? requested : mounted;
    }

    /** When the step began that ended with {@code firstProcess}; null when not known. */
    public @Nullable Long beginOfFirstProcess() {
        return created == null ? mayStart : created;
    }

    /** When the step began that ended with {@code ready}; null when not known. */
    public @Nullable Long beginOfReady() {
        return firstProcess == null ? mayStart : firstProcess;
    }

    /** Checks range and order. */
    public StartPhases {
        FieldChecks.ordered("phases", asked, firstByte, planned, MOST_MICROS);
        FieldChecks.ordered("phases", requested, mounted, mayStart, created, firstProcess, ready, MOST_MICROS);
        FieldChecks.range("phases.lastObject", lastObject, MOST_MICROS);
        FieldChecks.range("phases.refused", refused, MOST_MICROS);
    }
}
