package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.tree.FilePath;
import io.faasimage.linux.Fanotify;
import io.faasimage.linux.LinuxException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one start. A platform thread reads the events from the moment the root file system is marked; all state
 * but the two flags is that thread's own.
 */
final class TraceRun {
    private static final int POLL_MILLIS = 50;
    private static final int MAX_DRAIN_READS = 100_000;
    /** Read by container engines to find the container's user. */
    private static final Set<String> ACCOUNTS = Set.of("/etc/passwd", "/etc/group");

    private static final long OWN_PID = ProcessHandle.current().pid();

    private final ChainId chain;
    private final TraceRequest request;
    private final Fanotify group;
    private final ContainerPaths paths;
    private final Optional<ReadPages> pages;
    private final Consumer<Outcome> done;
    private final ContainerProcesses processes;
    private final AccessLog log = new AccessLog();
    /** The places through which the container's processes opened files. */
    private final Set<String> places = new HashSet<>();

    private final CountDownLatch finished = new CountDownLatch(1);
    private final long beginNanos = System.nanoTime();
    private volatile boolean removed;
    private volatile boolean abandoned;
    private @Nullable ReadinessProbe probe;
    private int events;
    private boolean started;
    private long startNanos;
    private long newestNanos;

    /** How a trace ended. */
    sealed interface Outcome {
        /**
         * With a trace.
         *
         * @param trace of this start
         * @param why it ended
         * @param took from the first process to the end
         * @param firstProcess when the first program was executed, in nanoseconds of the monotonic clock
         * @param ready when the readiness probe succeeded first
         */
        record Traced(Trace trace, String why, Duration took, OptionalLong firstProcess, OptionalLong ready)
                implements Outcome {}

        /**
         * Without one.
         *
         * @param reason for people
         */
        record Discarded(String reason) implements Outcome {}
    }

    /**
     * @param group watches the root file system already; closed when the trace ends
     * @param pages shows which parts of large objects are read; empty without
     * @param done called by the trace's thread at its end, when the group is closed
     */
    TraceRun(
            ChainId chain,
            TraceRequest request,
            Fanotify group,
            ContainerPaths paths,
            Optional<ReadPages> pages,
            Consumer<Outcome> done) {
        this.chain = chain;
        this.request = request;
        this.group = group;
        this.paths = paths;
        this.pages = pages;
        this.done = done;
        this.processes = new ContainerProcesses(paths);
    }

    void start() {
        Thread.ofPlatform()
                .daemon()
                .name("trace-" + chain.digest().hex().substring(0, 12))
                .start(this::run);
    }

    /** The snapshot is being removed: the trace ends with the events so far. Waits (bounded) for that. */
    boolean end(Duration wait) {
        removed = true;
        return await(wait);
    }

    /** This process stops: the trace is given up. Waits (bounded) for that. */
    boolean abandon(Duration wait) {
        abandoned = true;
        return await(wait);
    }

    private boolean await(Duration wait) {
        try {
            return finished.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        Outcome outcome;
        try {
            outcome = watch();
        } catch (IOException | RuntimeException e) {
            outcome = new Outcome.Discarded("it could not be watched: " + e.getMessage());
        } finally {
            if (probe != null) {
                probe.close();
            }
            group.close();
        }
        try {
            done.accept(outcome);
        } finally {
            finished.countDown();
        }
    }

    private Outcome watch() throws IOException {
        Optional<String> end = Optional.empty();
        while (end.isEmpty()) {
            if (abandoned) {
                return new Outcome.Discarded("the node agent stops");
            }
            boolean last = removed;
            Optional<Outcome> broken = read(POLL_MILLIS);
            if (broken.isPresent()) {
                return broken.get();
            }
            long now = System.nanoTime();
            if (!started && since(beginNanos, now, request.limits().startWithin())) {
                return new Outcome.Discarded("no program of the image was started within "
                        + request.limits().startWithin());
            }
            end = last ? Optional.of("its snapshot was removed") : ended(now);
        }
        return finish(end.get());
    }

    private Outcome finish(String why) throws IOException {
        int before = -1;
        for (int i = 0; i < MAX_DRAIN_READS && events != before; i++) {
            before = events;
            Optional<Outcome> broken = read(0);
            if (broken.isPresent()) {
                return broken.get();
            }
        }
        if (log.size() == 0) {
            return new Outcome.Discarded("no file of the image was opened (it ended because " + why + ")");
        }
        long from = started ? startNanos : beginNanos;
        return new Outcome.Traced(
                log.trace(chain, from, this::ranges),
                why,
                Duration.ofNanos(System.nanoTime() - from),
                started ? OptionalLong.of(startNanos) : OptionalLong.empty(),
                probe == null ? OptionalLong.empty() : probe.readySince());
    }

    private Optional<List<ByteRange>> ranges(FilePath path) throws IOException {
        Optional<Digest> object = pages.isPresent() ? paths.object(path) : Optional.empty();
        return object.isPresent() ? pages.get().of(object.get()) : Optional.empty();
    }

    /** Reads one batch; an outcome when the trace cannot continue. */
    private Optional<Outcome> read(int timeoutMillis) throws LinuxException {
        try (Fanotify.Batch batch = group.read(timeoutMillis)) {
            long now = System.nanoTime();
            events += batch.events().size() + batch.unreadable();
            for (Fanotify.Event event : batch.events()) {
                if (event.pid() != OWN_PID) {
                    note(event, now);
                }
            }
            if (batch.overflow()) {
                return Optional.of(new Outcome.Discarded(
                        "the kernel's event queue was full, so it is incomplete; raise fs.fanotify.max_queued_events"));
            }
        }
        if (log.size() > request.limits().files()) {
            return Optional.of(
                    new Outcome.Discarded("more than " + request.limits().files() + " files were opened"));
        }
        return Optional.empty();
    }

    private void note(Fanotify.Event event, long now) throws LinuxException {
        ContainerProcesses.Origin origin = processes.origin(event.pid());
        Optional<ContainerPaths.Opened> file = paths.of(event);
        if (file.isEmpty() || !isOfStart(origin, file.get())) {
            return;
        }
        processes.seen(event.pid());
        if (log.add(file.get().path(), now)) {
            newestNanos = now;
        }
        if (event.exec() && !started) {
            started = true;
            startNanos = now;
            newestNanos = now;
            request.readiness().ifPresent(readiness -> {
                probe = new ReadinessProbe(readiness, processes::any);
                probe.start();
            });
        }
    }

    /**
     * Whether the start opened the file, and not some other program of the machine (a scanner, a backup). Of a process
     * that has ended, the place through which it opened the file decides: only the container's processes open files
     * through its own root.
     */
    private boolean isOfStart(ContainerProcesses.Origin origin, ContainerPaths.Opened file) {
        return switch (origin) {
            case CONTAINER -> {
                places.add(file.through());
                yield true;
            }
            case GONE -> file.through().isEmpty() || places.contains(file.through());
            case ENGINE -> !started;
            case OTHER -> !started && ACCOUNTS.contains(file.path().display());
        };
    }

    /** Why the trace is at its end now; empty when it continues. */
    private Optional<String> ended(long now) {
        if (!started) {
            return Optional.empty();
        }
        TraceLimits limits = request.limits();
        if (probe != null) {
            OptionalLong ready = probe.readySince();
            if (ready.isPresent() && since(ready.getAsLong(), now, limits.settle())) {
                return Optional.of("the function was ready");
            }
        } else if (since(newestNanos, now, limits.quiet())) {
            return Optional.of("no new file was opened for " + limits.quiet()
                    + "; it has no readiness, so what the first request reads may be missing");
        }
        return since(startNanos, now, limits.limit())
                ? Optional.of("the limit of " + limits.limit() + " was reached")
                : Optional.empty();
    }

    private static boolean since(long nanos, long now, Duration span) {
        return now - nanos >= span.toNanos();
    }
}
