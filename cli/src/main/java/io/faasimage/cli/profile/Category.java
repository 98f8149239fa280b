package io.faasimage.cli.profile;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program does for a container's start, by its system calls. The categories are those of Hall and Ramachandran,
 * "Opportunities for Optimizing the Container Runtime", section IV; a call counts as a whole for one of them.
 */
enum Category {
    /** Seccomp, capabilities, users and keyrings. */
    SECURITY("security"),
    /** Mounting, and what the mount table needs. */
    MOUNTS("mounts"),
    /** The code of the programs themselves, their memory and threads. */
    PLATFORM("platform"),
    /** Calls that make, join or remove a cgroup. */
    CGROUPS("cgroups"),
    /** Processes and namespaces. */
    BOOTSTRAP("bootstrap"),
    /** No program works: all wait for a message, a timer or the end of another one. */
    SYNCHRONISATION("synchronisation"),
    /** Files that are read or written: configuration, state, containerd's database. */
    CONFIGURATION("configuration");

    private static final Map<Category, String> CALLS = new EnumMap<>(Map.of(
            SECURITY,
            "seccomp prctl capset capget setuid setgid setgroups setresuid setresgid setfsuid setfsgid keyctl add_key",
            MOUNTS,
            "mount umount pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr"
                    + " statfs fstatfs",
            BOOTSTRAP,
            "clone clone3 fork vfork execve execveat unshare setns exit exit_group wait4 waitid sethostname"
                    + " setdomainname prlimit64 setrlimit setsid pidfd_open pidfd_send_signal kill tgkill",
            CONFIGURATION,
            "read write pread64 pwrite64 readv writev open openat openat2 creat close newstat newfstat"
                    + " newlstat newfstatat"
                    + " statx access faccessat faccessat2 readlink readlinkat mkdir mkdirat rmdir unlink unlinkat"
                    + " rename renameat renameat2 link linkat symlink symlinkat mknod mknodat getdents64 fsync"
                    + " fdatasync ftruncate fallocate lseek chmod fchmod fchmodat chown fchown fchownat lchown flock"
                    + " fcntl copy_file_range sendfile64 splice getxattr lgetxattr setxattr utimensat getcwd chdir"
                    + " fchdir umask memfd_create"));

    private static final Map<String, Category> BY_CALL = byCall();

    private final String label;

    Category(String label) {
        this.label = label;
    }

    private static Map<String, Category> byCall() {
        Map<String, Category> byCall = new HashMap<>();
        CALLS.forEach((category, calls) -> List.of(calls.split(" ")).forEach(call -> byCall.put(call, category)));
        return byCall;
    }

    /** The category of a system call, by the kernel's name for it; {@link #PLATFORM} when no other one names it. */
    static Category of(String call) {
        return BY_CALL.getOrDefault(call, PLATFORM);
    }

    /** Its name in tables and in JSON. */
    @JsonValue
    String label() {
        return label;
    }
}
