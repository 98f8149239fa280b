package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pulls of a node.
 *
 * @param running now
 * @param finished the latest, oldest first
 */
public record PullStatus(List<Running> running, List<Finished> finished) {
    public PullStatus {
        running = running == null ? List.of() : List.copyOf(running);
        finished = finished == null ? List.of() : List.copyOf(finished);
    }

    /**
     * A pull under way.
     *
     * @param plan digest of the plan
     * @param set which of its objects
     * @param done objects so far
     * @param total of these; 0 before that is known
     * @param bytes received, compressed
     */
    public record Running(@Nullable String plan, @Nullable String set, long done, long total, long bytes) {}

    /**
     * A pull that has ended.
     *
     * @param plan digest of the plan
     * @param set which of its objects
     * @param started when
     * @param millis that it took
     * @param held objects that were on the node before
     * @param objects fetched
     * @param bytes received, compressed
     * @param requests sent to the service
     * @param missing objects that did not come
     * @param base the part of this segment, as the next two are of theirs; null when nothing came
     * @param lib libraries
     * @param func the rest
     * @param failures why objects are missing; null when none is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Finished(
            @Nullable String plan,
            @Nullable String set,
            @Nullable Instant started,
            long millis,
            int held,
            int objects,
            long bytes,
            int requests,
            int missing,
            @Nullable Brought base,
            @Nullable Brought lib,
            @Nullable Brought func,
            @Nullable List<String> failures) {
        public Finished {
            failures = failures == null ? null : List.copyOf(failures);
        }
    }

    /**
     * The part of a pull that concerns one segment.
     *
     * @param objects fetched
     * @param bytes of these, compressed
     * @param millis until the last of them
     */
    public record Brought(int objects, long bytes, long millis) {}
}
