package io.faasimage.builder.install;

import io.faasimage.builder.runtime.FunctionRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The OCI runtime configuration of an installation's container: users that the machine does not have, no capabilities,
 * a list of system calls, a root file system that is read-only but for three directories, namespaces of its own, limits
 * of a control group, and no network but a proxy.
 *
 * @see <a href="https://github.com/opencontainers/runtime-spec/blob/main/config.md">OCI runtime specification</a>
 */
final class ContainerSpec {
    /** Certificates that an installation trusts: the machine's, if it has them here. */
    static final String AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

    /** User and group that install, as the container sees them. */
    private static final int USER = 64_321;

    /**
     * User and group of the machine that are the container's 0; the 65536 from there on are the container's. They lie
     * above the ranges that useradd(8), containers and systemd give away.
     */
    private static final int FIRST_HOST_ID = 0x70FA_0000;

    private static final int IDS = 65_536;

    /** The installation's user and group, as the machine sees them. */
    static final int HOST_USER = FIRST_HOST_ID + USER;

    /** A tenth of the weight that other processes have when processors are scarce. */
    private static final int PROCESSOR_SHARES = 102;

    private static final int PROCESSOR_PERIOD_MICROS = 100_000;
    private static final int MAX_PROCESSES = 512;
    private static final int MAX_FILES = 8192;
    private static final List<String> PROXIES = List.of("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy");

    private ContainerSpec() {}

    /**
     * The configuration as a tree for JSON.
     *
     * @param disk where the service finds the disk
     * @param network namespace that the container is in
     * @param proxy address of the proxy there
     */
    static Map<String, Object> of(
            Installation installation, InstallLimits limits, Path disk, Path network, String proxy) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("ociVersion", "1.0.2");
        spec.put("process", process(installation, limits, proxy));
        spec.put("root", Map.of("path", InstallMounts.ROOT.toString(), "readonly", true));
        spec.put("hostname", "build");
        spec.put("mounts", ContainerMount.of(installation, disk));
        spec.put("linux", linux(installation, limits, disk, network));
        return spec;
    }

    private static Map<String, Object> linux(Installation installation, InstallLimits limits, Path disk, Path network) {
        Map<String, Object> linux = new LinkedHashMap<>();
        linux.put("cgroupsPath", "/" + installation.id());
        linux.put(
                "namespaces",
                List.of(
                        Map.of("type", "user"),
                        Map.of("type", "pid"),
                        Map.of("type", "ipc"),
                        Map.of("type", "uts"),
                        Map.of("type", "mount"),
                        Map.of("type", "cgroup"),
                        Map.of("type", "network", "path", network.toString())));
        List<Map<String, Object>> ids = List.of(Map.of("containerID", 0, "hostID", FIRST_HOST_ID, "size", IDS));
        linux.put("uidMappings", ids);
        linux.put("gidMappings", ids);
        linux.put("seccomp", SystemCalls.profile());
        linux.put(
                "resources",
                Map.of(
                        "memory", Map.of("limit", limits.memoryBytes(), "swap", limits.memoryBytes()),
                        "cpu",
                                Map.of(
                                        "shares", PROCESSOR_SHARES,
                                        "period", PROCESSOR_PERIOD_MICROS,
                                        "quota", (long) (limits.processors() * PROCESSOR_PERIOD_MICROS)),
                        "pids", Map.of("limit", MAX_PROCESSES),
                        "blockIO", DiskLimit.of(disk, limits.ioBytes()),
                        "devices", List.of(Map.of("allow", false, "access", "rwm"))));
        linux.put(
                "maskedPaths",
                List.of(
                        "/proc/acpi",
                        "/proc/interrupts",
                        "/proc/kcore",
                        "/proc/keys",
                        "/proc/latency_stats",
                        "/proc/timer_list",
                        "/proc/sched_debug",
                        "/proc/scsi"));
        linux.put("readonlyPaths", List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"));
        return linux;
    }

    private static Map<String, Object> process(Installation installation, InstallLimits limits, String proxy) {
        Map<String, Object> process = new LinkedHashMap<>();
        process.put("terminal", false);
        process.put("user", Map.of("uid", USER, "gid", USER, "umask", 022));
        process.put("args", List.of("/bin/sh", "-euc", installation.runtime().install()));
        process.put(
                "env",
                environment(installation, proxy).entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
        process.put("cwd", FunctionRuntime.FUNCTION);
        process.put("noNewPrivileges", true);
        List<String> none = List.of();
        process.put(
                "capabilities",
                Map.of("bounding", none, "effective", none, "permitted", none, "inheritable", none, "ambient", none));
        HardLimits own = HardLimits.ofThisProcess();
        process.put(
                "rlimits",
                List.of(
                        limit("RLIMIT_NOFILE", own.atMost("Max open files", MAX_FILES)),
                        limit("RLIMIT_CORE", 0),
                        limit("RLIMIT_FSIZE", own.atMost("Max file size", limits.diskBytes()))));
        return process;
    }

    private static Map<String, Object> limit(String type, long value) {
        return Map.of("type", type, "soft", value, "hard", value);
    }

    private static SortedMap<String, String> environment(Installation installation, String proxy) {
        SortedMap<String, String> all = new TreeMap<>();
        all.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        all.put("HOME", "/tmp");
        all.put("LANG", "C.UTF-8");
        all.put("LIBRARIES", installation.runtime().libraries());
        // Compilers and packers that know it write this time instead of the clock's.
        all.put("SOURCE_DATE_EPOCH", "1767225600");
        if (Files.isReadable(Path.of(AUTHORITIES))) {
            for (String variable : List.of("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")) {
                all.put(variable, AUTHORITIES);
            }
        }
        all.putAll(installation.environment());
        all.putAll(SecretFile.environment(installation.secrets()));
        PROXIES.forEach(variable -> all.put(variable, proxy));
        return all;
    }
}
