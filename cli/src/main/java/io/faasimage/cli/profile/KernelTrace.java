package io.faasimage.cli.profile;

import io.faasimage.linux.LinuxException;
import io.faasimage.linux.Mounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A trace by the kernel of one process and all that it starts: an instance of tracefs, which no other user of tracing
 * shares. Its clock is that of {@link System#nanoTime()}. Needs root. For one thread, but for its end.
 *
 * @see <a href="https://docs.kernel.org/trace/ftrace.html">ftrace</a>, "Instances", "set_event_pid", "event-fork"
 */
final class KernelTrace implements AutoCloseable {
    private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
    private static final String NAME = "faasimage-";
    /** Of all processors together; a start writes less than 1 MB. */
    private static final int BUFFERS_KB = 64 << 10;

    private static final int SMALLEST_BUFFER_KB = 1 << 10;
    private static final int REMOVALS = 50;

    private static final List<String> EVENTS = List.of(
            "syscalls",
            "sched/sched_switch",
            "sched/sched_process_fork",
            "sched/sched_process_exec",
            "sched/sched_process_exit",
            "cgroup/cgroup_mkdir",
            "cgroup/cgroup_rmdir",
            "cgroup/cgroup_attach_task",
            "cgroup/cgroup_transfer_tasks");

    private final boolean mounted;
    private final Path instance;
    private boolean closed;

    private KernelTrace(boolean mounted, Path instance) {
        this.mounted = mounted;
        this.instance = instance;
    }

    /**
     * A trace that has not begun.
     *
     * @param process whose threads, and all that they start, are followed
     * @throws IOException when this kernel or user cannot trace
     */
    static KernelTrace of(long process) throws IOException {
        boolean mounted = mount();
        KernelTrace trace = new KernelTrace(
                mounted,
                TRACEFS.resolve("instances/" + NAME + ProcessHandle.current().pid()));
        try {
            removeLeft();
            Files.createDirectory(trace.instance);
            trace.write("tracing_on", "0");
            trace.write("buffer_size_kb", Integer.toString(bufferKb()));
            trace.write("trace_clock", "mono");
            trace.write("options/event-fork", "1");
            trace.write("set_event_pid", threads(process));
            for (String event : EVENTS) {
                trace.write("events/" + event + "/enable", "1");
            }
            trace.write("events/sched/sched_switch/trigger", "stacktrace if prev_state == 2");
            return trace;
        } catch (IOException e) {
            trace.close();
            String missing = e instanceof NoSuchFileException ? " (this kernel has no such event or option)" : "";
            throw new IOException("could not trace by " + e.getMessage() + missing, e);
        }
    }

    /** Of each processor. */
    private static int bufferKb() {
        return Math.max(SMALLEST_BUFFER_KB, BUFFERS_KB / Runtime.getRuntime().availableProcessors());
    }

    /** Removes the instances of processes that were killed: they would go on tracing. */
    private static void removeLeft() throws IOException {
        try (DirectoryStream<Path> instances = Files.newDirectoryStream(TRACEFS.resolve("instances"), NAME + "*")) {
            for (Path instance : instances) {
                String pid = instance.getFileName().toString().substring(NAME.length());
                if (pid.matches("[0-9]{1,10}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    remove(instance);
                }
            }
        }
    }

    private static boolean mount() throws IOException {
        if (Files.isDirectory(TRACEFS.resolve("instances"))) {
            return false;
        }
        try {
            Mounts.mount("tracefs", TRACEFS, "tracefs", List.of());
            return true;
        } catch (LinuxException e) {
            throw new IOException(
                    "tracefs cannot be mounted at " + TRACEFS + ": " + e.getMessage()
                            + "; are you root, and has this kernel CONFIG_FTRACE?",
                    e);
        }
    }

    private static String threads(long process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            return threads.map(thread -> thread.getFileName().toString()).collect(Collectors.joining(" "));
        }
    }

    private void write(String file, String value) throws IOException {
        Files.writeString(instance.resolve(file), value);
    }

    /** Begins. */
    void begin() throws IOException {
        write("tracing_on", "1");
    }

    /** Reads what was traced so far. */
    List<TraceEvent> read() throws IOException {
        // Names of threads may be any bytes.
        try (BufferedReader text = Files.newBufferedReader(instance.resolve("trace"), StandardCharsets.ISO_8859_1)) {
            return TraceParser.parse(text);
        }
    }

    /** The kernel ends all that belongs to it; not as long as one of its files is open, for a read that ends soon. */
    private static void remove(Path instance) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.deleteIfExists(instance);
                return;
            } catch (IOException e) {
                if (attempt == REMOVALS) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    /** Removes what it made in tracefs. Idempotent; thread-safe. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        remove(instance);
        if (mounted) {
            Mounts.unmount(TRACEFS);
        }
    }
}
