package io.faasimage.node.pull;

import io.faasimage.format.plan.Segment;
import java.time.Duration;

/**
 * What the pull of one segment cost.
 *
 * @param segment which
 * @param wireBytes bytes of bundle streams and of single objects, compressed
 * @param objects published by this pull
 * @param requests sent to the registry
 * @param took wall time
 */
public record SegmentReport(Segment segment, long wireBytes, int objects, int requests, Duration took) {}
