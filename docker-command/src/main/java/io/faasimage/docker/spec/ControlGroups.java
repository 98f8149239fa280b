package io.faasimage.docker.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine's control groups.
 *
 * @param unified whether they are of version 2
 * @param swapLimit whether memory and swap together can be limited
 */
public record ControlGroups(boolean unified, boolean swapLimit) {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Pattern KILLS = Pattern.compile("(?m)^oom_kill ([0-9]{1,18})$");

    /** What this machine has. */
    public static ControlGroups probe() {
        boolean unified = Files.exists(ROOT.resolve("cgroup.controllers"));
        boolean swap = unified
                ? Files.exists(Path.of("/proc/swaps"))
                : Files.exists(ROOT.resolve("memory/memory.memsw.limit_in_bytes"));
        return new ControlGroups(unified, swap);
    }

    /** The control group of a container. */
    static String path(String namespace, String container) {
        return "/" + namespace + "/" + container;
    }

    /**
     * Whether the kernel ended a process of the container for want of memory; false when its control group has gone.
     */
    public boolean ranOutOfMemory(String namespace, String container) {
        String path = path(namespace, container).substring(1);
        Path file = unified
                ? ROOT.resolve(path).resolve("memory.events")
                : ROOT.resolve("memory").resolve(path).resolve("memory.oom_control");
        try {
            Matcher kills = KILLS.matcher(Files.readString(file));
            return kills.find() && Long.parseLong(kills.group(1)) > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
