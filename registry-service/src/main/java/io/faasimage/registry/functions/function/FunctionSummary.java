package io.faasimage.registry.functions.function;

import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.functions.start.StartMark;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function in a list.
 *
 * @param name unique
 * @param image reference as registered
 * @param digest of the image
 * @param runtime that the plan found, else as registered
 * @param state of the image
 * @param compressedSize of the image's layers
 * @param traceRuns starts merged in the trace; 0 without one
 * @param planVersion of the current plan; 0 without one
 * @param segments of the current plan; empty without one
 * @param job that waits or runs
 * @param error of the last failed job
 * @param starts newest cold starts, oldest first
 * @param created time of registration
 */
public record FunctionSummary(
        String name,
        String image,
        String digest,
        @Nullable String runtime,
        ImageState state,
        long compressedSize,
        int traceRuns,
        int planVersion,
        List<SegmentInfo> segments,
        @Nullable JobInfo job,
        @Nullable String error,
        List<StartMark> starts,
        Instant created) {
    public FunctionSummary {
        segments = List.copyOf(segments);
        starts = List.copyOf(starts);
    }

    /** The bytes of the image that a start needs, compressed. */
    public long startupStored() {
        return segments.stream().mapToLong(SegmentInfo::startupStored).sum();
    }

    /** Everything, compressed. */
    public long stored() {
        return segments.stream().mapToLong(SegmentInfo::stored).sum();
    }
}
