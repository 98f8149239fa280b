package io.faasimage.cli.profile;

import java.util.List;

/** An event of the kernel's trace. Times are microseconds of the monotonic clock, threads the kernel's thread IDs. */
sealed interface TraceEvent {
    /** When it happened. */
    long micros();

    /**
     * A system call begins.
     *
     * @param call the kernel's name for it, such as {@code newfstatat}
     */
    record Enter(long micros, int thread, String call) implements TraceEvent {}

    /** A system call ends. */
    record Exit(long micros, int thread) implements TraceEvent {}

    /**
     * A processor goes from one thread to another.
     *
     * @param state of the thread that leaves it: {@code R} could run on, {@code D} waits for the kernel; others sleep
     */
    record Switch(long micros, int from, char state, int to) implements TraceEvent {}

    /** The kernel stack of a thread, innermost function first, as it leaves the processor. */
    record Stack(long micros, int thread, List<String> functions) implements TraceEvent {}

    /** A thread makes another one. */
    record Fork(long micros, int parent, int child) implements TraceEvent {}

    /** A process runs another program. */
    record Exec(long micros, int thread, String file) implements TraceEvent {}

    /** A thread ends. */
    record End(long micros, int thread) implements TraceEvent {}

    /** A system call of a thread concerns cgroups. */
    record Cgroup(long micros, int thread) implements TraceEvent {}
}
