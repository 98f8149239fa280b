package io.faasimage.builder.install;

import io.faasimage.builder.runtime.FunctionRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The OCI runtime configuration of an installation's container: a user without rights, a root file system that is
 * read-only but for three directories, namespaces of its own, and no network but a proxy.
 *
 * @see <a href="https://github.com/opencontainers/runtime-spec/blob/main/config.md">OCI runtime specification</a>
 */
final class ContainerSpec {
    /** User and group that install; nobody else's. */
    static final int USER = 64_321;

    private static final String AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
    private static final int MAX_PROCESSES = 512;
    private static final int MAX_FILES = 8192;
    private static final List<String> PROXIES = List.of("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy");

    private ContainerSpec() {}

    /**
     * The configuration as a tree for JSON.
     *
     * @param network namespace that the container is in
     * @param proxy address of the proxy there
     */
    static Map<String, Object> of(Installation installation, InstallLimits limits, Path network, String proxy) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("ociVersion", "1.0.2");
        spec.put("process", process(installation, limits, proxy));
        spec.put("root", Map.of("path", installation.root().toString(), "readonly", true));
        spec.put("hostname", "build");
        spec.put("mounts", mounts(installation));
        spec.put(
                "linux",
                Map.of(
                        "cgroupsPath", "/" + installation.id(),
                        "namespaces",
                                List.of(
                                        Map.of("type", "pid"),
                                        Map.of("type", "ipc"),
                                        Map.of("type", "uts"),
                                        Map.of("type", "mount"),
                                        Map.of("type", "network", "path", network.toString())),
                        "resources",
                                Map.of(
                                        "memory", Map.of("limit", limits.memoryBytes(), "swap", limits.memoryBytes()),
                                        "pids", Map.of("limit", MAX_PROCESSES),
                                        "devices", List.of(Map.of("allow", false, "access", "rwm"))),
                        "maskedPaths",
                                List.of(
                                        "/proc/kcore",
                                        "/proc/keys",
                                        "/proc/timer_list",
                                        "/proc/sched_debug",
                                        "/proc/scsi"),
                        "readonlyPaths",
                                List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")));
        return spec;
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
        process.put(
                "rlimits",
                List.of(
                        limit("RLIMIT_NOFILE", MAX_FILES),
                        limit("RLIMIT_CORE", 0),
                        limit("RLIMIT_FSIZE", limits.diskBytes())));
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
        PROXIES.forEach(variable -> all.put(variable, proxy));
        return all;
    }

    private static List<Map<String, Object>> mounts(Installation installation) {
        List<Map<String, Object>> mounts = new ArrayList<>();
        mounts.add(mount("/proc", "proc", "proc", List.of("nosuid", "noexec", "nodev")));
        mounts.add(mount("/dev", "tmpfs", "tmpfs", List.of("nosuid", "strictatime", "mode=755", "size=65536k")));
        mounts.add(mount("/dev/shm", "tmpfs", "shm", List.of("nosuid", "noexec", "nodev", "mode=1777", "size=65536k")));
        mounts.add(bind("/tmp", installation.temporary(), "rw"));
        mounts.add(bind(FunctionRuntime.FUNCTION, installation.function(), "rw"));
        mounts.add(bind(installation.runtime().libraries(), installation.libraries(), "rw"));
        for (String file : List.of("/etc/hosts", AUTHORITIES)) {
            if (Files.isReadable(Path.of(file))) {
                mounts.add(bind(file, Path.of(file), "ro"));
            }
        }
        return mounts;
    }

    private static Map<String, Object> bind(String destination, Path source, String access) {
        return mount(destination, "bind", source.toString(), List.of("bind", access, "nosuid", "nodev"));
    }

    private static Map<String, Object> mount(String destination, String type, String source, List<String> options) {
        return Map.of("destination", destination, "type", type, "source", source, "options", options);
    }
}
