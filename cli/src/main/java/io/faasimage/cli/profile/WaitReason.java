package io.faasimage.cli.profile;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a program waits for inside the kernel while nothing can interrupt it, by the functions on its kernel stack. */
enum WaitReason {
    /** A grace period of read-copy-update: {@code faasimage node tune} shortens it. */
    RCU("rcu", "synchronize_rcu|rcu_barrier|wait_rcu"),
    /** Data on their way to the disk because a program wants them durable. */
    SYNC("sync", "fsync|sync_file|fdatasync|sync_filesystem|sync_inodes"),
    /** Blocks of a disk. */
    DISK("disk", "io_schedule|submit_bio"),
    /** A lock of the cgroup hierarchy. */
    CGROUP_LOCK("cgroup-lock", "cgroup|percpu_down"),
    /** The child of a vfork, until it runs its program. */
    CHILD("child", "kernel_clone"),
    /** Another lock. */
    LOCK("lock", "rwsem|mutex|down_"),
    /** A processor: it could run. No stack shows this one, nor the next. */
    PROCESSOR("processor", "(?!)"),
    /** Something else. */
    OTHER("other", "(?!)");

    private final String label;
    private final Pattern functions;

    WaitReason(String label, String functions) {
        this.label = label;
        this.functions = Pattern.compile(functions);
    }

    /** The reason that a kernel stack shows: the first of this enumeration with a function that is on it. */
    static WaitReason of(List<String> stack) {
        return Stream.of(values())
                .filter(reason -> stack.stream().anyMatch(reason.functions.asPredicate()))
                .findFirst()
                .orElse(OTHER);
    }

    /** Its name in tables and in JSON. */
    @JsonValue
    String label() {
        return label;
    }
}
