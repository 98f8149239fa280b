package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.terminal.Progress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;

/** A wait for the end of a refactor job. */
final class JobWait {
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private JobWait() {}

    /**
     * Shows the progress of {@code job} until it ends. A failed job, or none at the end of {@code limit}, is an error.
     */
    static JobInfo untilDone(ServiceClient registry, JobInfo job, Duration limit, Progress progress)
            throws IOException {
        Instant end = Instant.now().plus(limit);
        JobInfo now = job;
        while (now.state() != JobInfo.State.DONE) {
            if (now.state() == JobInfo.State.FAILED) {
                throw new IOException("refactoring of " + now.image() + " failed: " + now.error());
            }
            if (Instant.now().isAfter(end)) {
                throw new IOException("refactoring of " + now.image() + " is not done after " + limit.toSeconds()
                        + " s (" + now.phase() + "); see: faasimage jobs");
            }
            progress.show("refactor: " + now.phase(), now.done(), now.total());
            pause();
            now = registry.job(now.id());
        }
        progress.show("refactor: done", 1, 1);
        return now;
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a job");
        }
    }
}
