package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.terminal.Progress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;

/** A wait for the end of a refactor job. */
public final class JobWait {
    /** A job is noticed to have ended after at most a sixteenth more of its time, within these bounds. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private static final Duration LONGEST = Duration.ofMillis(200);
    private static final int PART = 16;

    private JobWait() {}

    /**
     * Shows the progress of {@code job} until it ends. A failed job, or none at the end of {@code limit}, is an error.
     */
    public static JobInfo untilDone(ServiceClient registry, JobInfo job, Duration limit, Progress progress)
            throws IOException {
        Instant end = Instant.now().plus(limit);
        JobInfo now = job;
        long begin = System.nanoTime();
        while (now.state() != JobInfo.State.DONE) {
            if (now.state() == JobInfo.State.FAILED) {
                throw new IOException("refactoring of " + now.image() + " failed: " + now.error());
            }
            if (Instant.now().isAfter(end)) {
                throw new IOException("refactoring of " + now.image() + " is not done after " + limit.toSeconds()
                        + " s (" + now.phase() + "); see: faasimage jobs");
            }
            progress.show("refactor: " + now.phase(), now.done(), now.total());
            pause(Duration.ofNanos((System.nanoTime() - begin) / PART));
            now = registry.job(now.id());
        }
        progress.show("refactor: done", 1, 1);
        return now;
    }

    private static void pause(Duration wanted) throws InterruptedIOException {
        try {
            Thread.sleep(Math.clamp(wanted.toMillis(), SHORTEST.toMillis(), LONGEST.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a job");
        }
    }
}
