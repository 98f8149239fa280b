package io.faasimage.docker.spec;

import io.faasimage.api.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * System calls that no function needs and that have led out of containers: changing the kernel, mounting, other processes' memory,
 * namespaces. They fail with EPERM; all others are let through. Docker's own list is one of what is allowed and thus stricter.
 */
final class SystemCalls {
    private static final List<String> DENIED = List.of(
            "acct",
            "add_key",
            "bpf",
            "clock_adjtime",
            "clock_settime",
            "create_module",
            "delete_module",
            "finit_module",
            "fsconfig",
            "fsmount",
            "fsopen",
            "fspick",
            "get_kernel_syms",
            "init_module",
            "io_uring_enter",
            "io_uring_register",
            "io_uring_setup",
            "ioperm",
            "iopl",
            "kcmp",
            "kexec_file_load",
            "kexec_load",
            "keyctl",
            "lookup_dcookie",
            "mount",
            "mount_setattr",
            "move_mount",
            "move_pages",
            "name_to_handle_at",
            "nfsservctl",
            "open_by_handle_at",
            "open_tree",
            "perf_event_open",
            "pivot_root",
            "process_vm_readv",
            "process_vm_writev",
            "ptrace",
            "query_module",
            "quotactl",
            "reboot",
            "request_key",
            "setns",
            "settimeofday",
            "stime",
            "swapoff",
            "swapon",
            "sysfs",
            "umount",
            "umount2",
            "unshare",
            "uselib",
            "userfaultfd",
            "ustat",
            "vm86",
            "vm86old");

    private static final List<String> X86 = List.of("SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32");
    private static final List<String> ARM = List.of("SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM");
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET, of which each is refused. */
    private static final List<Long> NEW_NAMESPACES =
            List.of(0x20000L, 0x2000000L, 0x4000000L, 0x8000000L, 0x10000000L, 0x20000000L, 0x40000000L);

    private SystemCalls() {}

    /** The filter, as the specification has it. */
    static ObjectNode filter() {
        ObjectNode filter = Json.mapper().createObjectNode();
        filter.put("defaultAction", "SCMP_ACT_ALLOW");
        ArrayNode architectures = filter.putArray("architectures");
        (System.getProperty("os.arch", "").equals("aarch64") ? ARM : X86).forEach(architectures::add);
        ArrayNode calls = filter.putArray("syscalls");
        ArrayNode denied = refuse(calls, EPERM).putArray("names");
        DENIED.forEach(denied::add);
        for (long flag : NEW_NAMESPACES) {
            ObjectNode rule = refuse(calls, EPERM);
            rule.putArray("names").add("clone");
            ObjectNode argument = rule.putArray("args").addObject();
            argument.put("index", 0).put("value", flag).put("valueTwo", flag).put("op", "SCMP_CMP_MASKED_EQ");
        }
        // Its flags cannot be looked at; C libraries use clone when it is not there.
        refuse(calls, ENOSYS).putArray("names").add("clone3");
        return filter;
    }

    private static ObjectNode refuse(ArrayNode calls, int errno) {
        return calls.addObject().put("action", "SCMP_ACT_ERRNO").put("errnoRet", errno);
    }
}
