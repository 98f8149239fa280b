package io.faasimage.docker.spec;

import io.faasimage.api.Json;
import io.faasimage.docker.command.RunOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes OCI runtime specifications with Docker's defaults. */
public final class RuntimeSpec {
    private static final String PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final String MACHINE = System.getProperty("os.arch");
    private static final List<String> MASKED = List.of(
            "/proc/asound",
            "/proc/acpi",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/sys/firmware",
            "/sys/devices/virtual/powercap");
    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    private final ImageConfig image;
    private final RunOptions options;
    private final ContainerPlace place;
    private final ControlGroups groups;

    /** A specification of a container of {@code image}. */
    public RuntimeSpec(ImageConfig image, RunOptions options, ContainerPlace place, ControlGroups groups) {
        this.image = image;
        this.options = options;
        this.place = place;
        this.groups = groups;
    }

    /** The words that are run. */
    public static List<String> words(ImageConfig image, List<String> arguments) {
        List<String> words = new ArrayList<>(image.entrypoint());
        words.addAll(arguments.isEmpty() ? image.command() : arguments);
        return words;
    }

    /**
     * The specification.
     *
     * @param words what is run
     * @param user as whom
     */
    public byte[] json(List<String> words, ProcessUser user) {
        ObjectNode spec = Json.mapper().createObjectNode();
        spec.put("ociVersion", "1.0.2");
        spec.putObject("root").put("path", "rootfs").put("readonly", false);
        spec.put("hostname", place.hostname());
        process(spec.putObject("process"), words, user);
        mounts(spec.putArray("mounts"));
        linux(spec.putObject("linux"));
        return Json.mapper().writeValueAsBytes(spec);
    }

    private void process(ObjectNode process, List<String> words, ProcessUser user) {
        process.put("terminal", false);
        process.put("cwd", image.directory().isEmpty() ? "/" : image.directory());
        process.put("noNewPrivileges", false);
        strings(process.putArray("args"), words);
        strings(process.putArray("env"), environment());
        ObjectNode who = process.putObject("user");
        who.put("uid", user.uid()).put("gid", user.gid());
        ArrayNode further = who.putArray("additionalGids");
        user.groups().forEach(further::add);
        List<String> allowed = Capabilities.without(options.capDrop());
        ObjectNode capabilities = process.putObject("capabilities");
        strings(capabilities.putArray("bounding"), allowed);
        // As Docker does it: a user other than root has them only by programs that bring them.
        List<String> effective = user.uid() == 0 ? allowed : List.of();
        strings(capabilities.putArray("effective"), effective);
        strings(capabilities.putArray("permitted"), effective);
        ArrayNode limits = process.putArray("rlimits");
        options.ulimits()
                .forEach(limit -> limits.addObject()
                        .put("type", "RLIMIT_" + limit.name().toUpperCase(Locale.ROOT))
                        .put("soft", limit.soft())
                        .put("hard", limit.hard()));
    }

    private List<String> environment() {
        List<String> environment = new ArrayList<>();
        if (image.environment().stream().noneMatch(v -> v.startsWith("PATH="))) {
            environment.add(PATH);
        }
        environment.add("HOSTNAME=" + place.hostname());
        environment.addAll(image.environment());
        for (String variable : options.environment()) {
            String name = variable.substring(0, variable.indexOf('=') + 1);
            environment.removeIf(v -> v.startsWith(name));
            environment.add(variable);
        }
        return environment;
    }

    private void mounts(ArrayNode mounts) {
        mount(mounts, "/proc", "proc", "proc", "nosuid", "noexec", "nodev");
        mount(mounts, "/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k");
        String[] terminals = {"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"};
        mount(mounts, "/dev/pts", "devpts", "devpts", terminals);
        mount(mounts, "/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k");
        mount(mounts, "/dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev");
        mount(mounts, "/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", "ro");
        mount(mounts, "/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "ro");
        for (String file : List.of("hostname", "hosts", "resolv.conf")) {
            mount(mounts, "/etc/" + file, "bind", place.files().resolve(file).toString(), "rbind", "rprivate");
        }
    }

    private static void mount(ArrayNode mounts, String target, String type, String source, String... options) {
        ObjectNode mount = mounts.addObject();
        mount.put("destination", target).put("type", type).put("source", source);
        strings(mount.putArray("options"), List.of(options));
    }

    private void linux(ObjectNode linux) {
        linux.put("cgroupsPath", ControlGroups.path(place.namespace(), place.id()));
        ArrayNode namespaces = linux.putArray("namespaces");
        List.of("pid", "ipc", "uts", "mount")
                .forEach(type -> namespaces.addObject().put("type", type));
        if (groups.unified()) {
            namespaces.addObject().put("type", "cgroup");
        }
        namespaces
                .addObject()
                .put("type", "network")
                .put("path", place.networkNamespace().toString());
        strings(linux.putArray("maskedPaths"), MASKED);
        strings(linux.putArray("readonlyPaths"), READ_ONLY);
        linux.set("seccomp", SystemCalls.filter(MACHINE, Capabilities.without(options.capDrop())));
        resources(linux.putObject("resources"));
    }

    private void resources(ObjectNode resources) {
        resources.putArray("devices").addObject().put("allow", false).put("access", "rwm");
        ObjectNode memory = resources.putObject("memory");
        options.memoryBytes().ifPresent(bytes -> memory.put("limit", bytes));
        if (groups.swapLimit()) {
            options.memorySwapBytes().ifPresent(bytes -> memory.put("swap", bytes));
        }
        ObjectNode cpu = resources.putObject("cpu");
        options.cpuShares().ifPresent(shares -> cpu.put("shares", shares));
        options.nanoCpus().ifPresent(nano -> cpu.put("period", 100_000L).put("quota", Math.max(1000, nano / 10_000)));
        options.pidsLimit().ifPresent(pids -> resources.putObject("pids").put("limit", pids));
    }

    private static void strings(ArrayNode array, List<String> strings) {
        strings.forEach(array::add);
    }
}
