package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The outcome of a pull.
 *
 * @param plan whose objects were pulled
 * @param part which of them
 * @param started when
 * @param beginNanos when, by the monotonic clock
 * @param took wall time
 * @param held objects that were there before
 * @param heldBytes their content
 * @param segments one for each segment of which something came
 * @param wireBytes bytes on the wire, compressed
 * @param requests sent to the service
 * @param missing objects that are still not held
 * @param failures reasons, at most a few; empty exactly when nothing is missing
 */
public record PullReport(
        Digest plan,
        Part part,
        Instant started,
        long beginNanos,
        Duration took,
        int held,
        long heldBytes,
        List<SegmentReport> segments,
        long wireBytes,
        int requests,
        int missing,
        List<String> failures) {
    public PullReport {
        segments = List.copyOf(segments);
        failures = List.copyOf(failures);
    }

    /** Whether the whole set is present now. */
    public boolean complete() {
        return missing == 0;
    }

    /** Objects that this pull published. */
    public int objects() {
        return segments.stream().mapToInt(SegmentReport::objects).sum();
    }
}
