package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.terminal.Printable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A wait for the end of a build, which shows its phases and the package manager's output as it arrives. */
public final class BuildWait {
    /** A build is noticed to have ended after at most an eighth more of its time, within these bounds. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private static final Duration LONGEST = Duration.ofMillis(250);
    private static final int PART = 8;

    private final ServiceClient registry;
    private final Optional<PrintWriter> messages;
    private String phase = "";
    private long printed;

    /** Prints to {@code messages}, if anywhere. */
    public BuildWait(ServiceClient registry, Optional<PrintWriter> messages) {
        this.registry = registry;
        this.messages = messages;
    }

    /** Waits for the end; a build that failed is an error. The service bounds the time. */
    public BuildInfo untilDone(BuildInfo build) throws IOException {
        BuildInfo now = build;
        long begin = System.nanoTime();
        while (now.finished() == null) {
            show(now);
            pause(Duration.ofNanos((System.nanoTime() - begin) / PART));
            now = registry.builds().get(now.id());
        }
        show(now);
        if (now.state() == JobInfo.State.FAILED) {
            String error = String.valueOf(now.error());
            // The rest of it is the output, which was printed.
            String shown = printed > 0 ? error.lines().findFirst().orElse(error) : error;
            throw new IOException("build of " + now.function() + " failed: " + shown);
        }
        return now;
    }

    private void show(BuildInfo build) throws IOException {
        if (messages.isEmpty()) {
            return;
        }
        PrintWriter out = messages.get();
        if (!build.phase().equals(phase)) {
            phase = build.phase();
            out.println("build: " + Printable.line(phase));
        }
        byte[] more = registry.builds().output(build.id(), printed);
        while (more.length > 0) {
            printed += more.length;
            out.print(Printable.text(new String(more, StandardCharsets.UTF_8)));
            more = registry.builds().output(build.id(), printed);
        }
        out.flush();
    }

    private static void pause(Duration wanted) throws InterruptedIOException {
        try {
            Thread.sleep(Math.clamp(wanted.toMillis(), SHORTEST.toMillis(), LONGEST.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a build, which continues");
        }
    }
}
