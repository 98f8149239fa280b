package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.images.job.JobClaims.Taken;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.database.DatabaseFailures;
import io.faasimage.registry.platform.replica.ReplicaLost;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The threads that run queued jobs. A job that was running when its service was killed is run again from the beginning,
 * by whichever service is there; one that kills the service over and over is given up. One that fails for a reason that
 * may pass is tried again after growing pauses, while its worker does others.
 */
@Component
class JobWorkers implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(JobWorkers.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration STOP = Duration.ofSeconds(10);

    private final JobService queue;
    private final JobTable table;
    private final JobClaims jobs;
    private final JobRunner runner;
    private final JobFailures failures;
    private final JobSignal signal;
    private final RegistrySettings settings;
    private final List<Thread> threads = new ArrayList<>();
    /** The names of the runs that a thread begins or is in. */
    private final Set<String> active = ConcurrentHashMap.newKeySet();
    /** The names of runs whose end the database did not take. */
    private final Set<String> unfinished = ConcurrentHashMap.newKeySet();

    private volatile boolean running;

    JobWorkers(
            JobService queue,
            JobTable table,
            JobClaims jobs,
            JobRunner runner,
            JobFailures failures,
            JobSignal signal,
            RegistrySettings settings) {
        this.queue = queue;
        this.table = table;
        this.jobs = jobs;
        this.runner = runner;
        this.failures = failures;
        this.signal = signal;
        this.settings = settings;
    }

    @Override
    public synchronized void start() {
        recover();
        running = true;
        for (int i = 0; i < settings.workers(); i++) {
            threads.add(Thread.ofPlatform().name("refactor-" + i).start(this::work));
        }
    }

    /**
     * Also requeues jobs that are marked as run here and are not: those that were claimed, or whose end was to be
     * written, when the database failed. The running jobs are looked up after the rows were read, as a job is in the
     * set before it has a row.
     */
    private void recover() {
        jobs.orphanedOrOwn().stream().filter(job -> !active.contains(job.run())).forEach(this::recover);
    }

    private void recover(Taken job) {
        if (unfinished.contains(job.run())) {
            jobs.release(job, "starts again: the database was away while it ran");
            unfinished.remove(job.run());
        } else if (table.attempts(job.id()) >= settings.jobAttempts()) {
            failures.end(
                    job,
                    "the service died " + settings.jobAttempts() + " times while it ran this job;"
                            + " its log may say why, POST /v1/images/{digest}/refactor tries again",
                    false);
        } else {
            jobs.requeue(job);
            LOG.info(
                    "job {} of image {} starts again: the service died while it ran",
                    job.id(),
                    job.job().image());
        }
    }

    private void work() {
        while (running) {
            try {
                if (!runNext()) {
                    signal.await(poll());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("a worker failed, and continues", e);
                pause();
            }
        }
    }

    /** Runs a job; false when there is none. */
    private boolean runNext() {
        recover();
        queue.queueFailed();
        String run = UUID.randomUUID().toString();
        active.add(run);
        try {
            Optional<Taken> claimed = jobs.claim(run);
            if (claimed.isPresent()) {
                run(claimed.get());
            }
            return claimed.isPresent();
        } catch (RuntimeException e) {
            if (DatabaseFailures.isTransient(e)) {
                unfinished.add(run);
            }
            throw e;
        } finally {
            active.remove(run);
        }
    }

    /** Its jobs are free. */
    @EventListener
    void lost(ReplicaLost lost) {
        signal.wake();
    }

    private Duration poll() {
        return settings.jobRetryPause().compareTo(POLL) < 0 ? settings.jobRetryPause() : POLL;
    }

    private void pause() {
        try {
            signal.await(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Taken taken) {
        JobInfo job = taken.job();
        LOG.info("job {} of image {} starts", job.id(), job.image());
        long start = System.nanoTime();
        try {
            boolean visible = runner.run(taken);
            failures.none();
            if (visible) {
                LOG.info("job {} of image {} done in {} ms", job.id(), job.image(), millisSince(start));
            } else {
                failures.end(taken, JobRunner.REMOVED, false);
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.failed(taken, e, !running);
        }
        table.prune(settings.keptJobs());
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    @Override
    public synchronized void stop() {
        running = false;
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + STOP.toNanos();
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.clear();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
