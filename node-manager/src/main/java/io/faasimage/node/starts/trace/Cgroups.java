package io.faasimage.node.starts.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The cgroups of a process, by hierarchy: one of version 2 with an empty name, those of version 1 by their controllers.
 *
 * @param paths from the root of each hierarchy
 * @see <a href="https://man7.org/linux/man-pages/man7/cgroups.7.html">cgroups(7)</a>
 */
record Cgroups(Map<String, String> paths) {
    Cgroups {
        paths = Map.copyOf(paths);
    }

    /** Those of a live process. */
    static Optional<Cgroups> of(String pid) {
        try {
            return Optional.of(parse(Files.readString(Path.of("/proc", pid, "cgroup"))));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    /** Parses lines of {@code number:controllers:path}. */
    static Cgroups parse(String text) {
        Map<String, String> paths = new HashMap<>();
        text.lines()
                .map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3)
                .forEach(fields -> paths.put(fields[1], fields[2]));
        return new Cgroups(paths);
    }

    /** Those that a container has for itself: neither the root nor those of {@code host}. */
    Cgroups without(Cgroups host) {
        Map<String, String> own = new HashMap<>(paths);
        own.entrySet()
                .removeIf(entry -> entry.getValue().equals("/")
                        || entry.getValue().equals(host.paths().get(entry.getKey())));
        return new Cgroups(own);
    }

    /** Whether a process with these cgroups is in one of ours, or below it. */
    boolean holds(Cgroups other) {
        return paths.entrySet().stream().anyMatch(entry -> {
            String theirs = other.paths().getOrDefault(entry.getKey(), "");
            return theirs.equals(entry.getValue()) || theirs.startsWith(entry.getValue() + "/");
        });
    }
}
