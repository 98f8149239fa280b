package io.faasimage.node.pull;

import io.faasimage.format.plan.Segment;
import java.time.Duration;

/**
 * The objects and bytes that a pull fetched of one segment.
 *
 * @param segment which
 * @param storedBytes of its objects as they came, compressed, without the heads between them
 * @param objects published by this pull
 * @param first from the pull's begin to its first object
 * @param took from the pull's begin to its last object
 */
public record SegmentReport(Segment segment, long storedBytes, int objects, Duration first, Duration took) {}
