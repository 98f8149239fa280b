package io.faasimage.registry.store.trace;

import io.faasimage.api.job.JobInfo;
import io.faasimage.format.trace.Trace;

/**
 * The taker of traces that nodes send. It is above this package, as a trace that is taken queues a refactor job.
 */
public interface TraceIntake {
    /** Merges a trace with the stored one of its image, and queues a job for every image with these layers. */
    JobInfo add(Trace trace);
}
