package io.faasimage.api.image;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.rest.FieldChecks;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import org.jspecify.annotations.Nullable;

/**
 * The objects and bytes that a start fetched of one segment.
 *
 * @param segment {@code func}, {@code lib} or {@code base}
 * @param objects that came
 * @param bytes of them, as they came (compressed)
 * @param begin microseconds after the start's begin at which the first of them came; null when not known
 * @param end at which the last one was there; null when not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SegmentPull(
        String segment,
        long objects,
        long bytes,
        @Nullable Long begin,
        @Nullable Long end) {
    /** Checks the limits. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public SegmentPull {
        if (segment == null || !(segment.equals("func") || segment.equals("lib") || segment.equals("base"))) {
            throw FieldChecks.refused("segments.segment", "is func, lib or base");
        }
        FieldChecks.range("segments.objects", objects, Integer.MAX_VALUE);
        FieldChecks.range("segments.bytes", bytes, StartRecord.MOST_BYTES);
        FieldChecks.ordered("segments", begin, end, StartPhases.MOST_MICROS);
    }
}
