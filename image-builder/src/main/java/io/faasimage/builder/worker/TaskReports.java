package io.faasimage.builder.worker;

import io.faasimage.api.client.BuilderCalls;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.concurrent.Backoff;
import io.faasimage.builder.BuildListener;
import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.ProtocolJson;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The reports on one task, of which one is made each second: they extend the lease, and carry what the package manager
 * printed. When the service knows the lease no more, or did not answer for longer than it lasts, the thread of the task
 * is interrupted. One thread of its own reports, and that of the task at the end.
 */
final class TaskReports implements BuildListener {
    private static final Logger LOG = System.getLogger(TaskReports.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private record Progress(@Nullable Phase phase, int done, int total) {}

    private final BuilderCalls service;
    private final BuildTask task;
    private final Path output;
    private final Thread builder;
    private final Thread reporter;
    private volatile Progress progress = new Progress(null, 0, 0);
    private volatile boolean lost;
    private volatile boolean ending;
    private long position;

    /** Reports on a task of the calling thread, until its end. */
    TaskReports(BuilderCalls service, BuildTask task, Path output) {
        this.service = service;
        this.task = task;
        this.output = output;
        this.builder = Thread.currentThread();
        this.reporter = Thread.ofVirtual().name("report-" + task.build()).start(this::report);
    }

    @Override
    public void progress(Phase phase, int done, int total) {
        progress = new Progress(phase, done, total);
    }

    private void report() {
        long heard = System.nanoTime();
        try {
            while (true) {
                try {
                    send(null);
                    heard = System.nanoTime();
                } catch (ServiceException e) {
                    if (ending) {
                        return;
                    }
                    if (!e.retryable() || System.nanoTime() - heard > PATIENCE.toNanos()) {
                        LOG.log(Level.WARNING, task + " is given up: " + e.getMessage());
                        lost = true;
                        builder.interrupt();
                        return;
                    }
                    LOG.log(Level.WARNING, "could not report on " + task + ", next attempt follows: " + e.getMessage());
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            // The task has ended.
        } catch (IOException | RuntimeException e) {
            if (!ending) {
                LOG.log(Level.ERROR, "the reports on " + task + " have failed", e);
                lost = true;
                builder.interrupt();
            }
        }
    }

    /** Sends what was printed since the last report, as far as it fits in one; whether that was all. */
    private boolean send(BuildReport.@Nullable End end) throws IOException {
        byte[] more = printed();
        Progress now = progress;
        BuildReport report = BuildReport.of(now.phase(), now.done(), now.total(), position, more, end);
        byte[] answer = service.report(task.lease(), ProtocolJson.encode(report));
        position = ProtocolJson.decode(answer, BuildReport.Answer.class).position();
        return more.length == 0;
    }

    private byte[] printed() throws IOException {
        try (FileChannel file = FileChannel.open(output)) {
            file.position(Math.min(position, file.size()));
            return Channels.newInputStream(file).readNBytes(BuildReport.MAX_OUTPUT);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** Sends what is left, and how the task ended; a service that does not answer is asked for a minute. */
    void end(BuildReport.End end) throws InterruptedException {
        ending = true;
        reporter.interrupt();
        reporter.join();
        if (lost) {
            return;
        }
        Backoff pauses = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5), ThreadLocalRandom.current());
        long last = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                // The end may come with a report only when all output is there.
                while (!send(null)) {
                    // More is left.
                }
                send(end);
                return;
            } catch (IOException | IllegalArgumentException e) {
                boolean again = !(e instanceof ServiceException failure) || failure.retryable();
                if (!again || System.nanoTime() > last) {
                    LOG.log(Level.WARNING, "the service does not know the end of " + task + ": " + e.getMessage());
                    return;
                }
            }
            Thread.sleep(pauses.next());
        }
    }
}
