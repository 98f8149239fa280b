package io.faasimage.node.starts.trace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The processes of a container: those whose root directory is the container's, and those in the cgroup of the first
 * such one, which may have changed its root. Thread-safe.
 */
final class ContainerProcesses {
    private static final int REMEMBERED = 64;
    private static final int MOST_CACHED = 65_536;
    private static final Path PROC = Path.of("/proc");
    /** Process names of container engines, which read in the image before the first program does. */
    private static final Pattern ENGINE = Pattern.compile("(containerd|runc|crun|youki|ctr|nerdctl|docker|faas).*");

    private final ContainerPaths paths;
    private final Deque<Integer> seen = new ArrayDeque<>();
    private final Set<Integer> inside = new HashSet<>();
    private Optional<Cgroups> cgroups = Optional.empty();

    /** Where a process belongs. */
    enum Origin {
        /** To the container. */
        CONTAINER,
        /** To a container engine. */
        ENGINE,
        /** To something else. */
        OTHER,
        /** It has ended, or is not seen from here. */
        GONE
    }

    ContainerProcesses(ContainerPaths paths) {
        this.paths = paths;
    }

    /** An event came from {@code pid}. */
    synchronized void seen(int pid) {
        Integer last = seen.peekFirst();
        if (last != null && last == pid) {
            return;
        }
        seen.remove(pid);
        seen.addFirst(pid);
        if (seen.size() > REMEMBERED) {
            seen.removeLast();
        }
    }

    /** Where {@code pid} belongs now: it may still become the container's, so only that is remembered. */
    synchronized Origin origin(int pid) {
        if (inside.contains(pid)) {
            return Origin.CONTAINER;
        }
        Optional<Cgroups> theirs = Cgroups.of(Integer.toString(pid));
        boolean rooted = paths.isRootOf(pid);
        if (rooted && cgroups.isEmpty()) {
            cgroups = theirs.map(ContainerProcesses::ownOf);
        }
        boolean grouped = theirs.isPresent()
                && cgroups.filter(own -> own.holds(theirs.get())).isPresent();
        if (rooted || grouped) {
            if (inside.size() >= MOST_CACHED) {
                inside.clear();
            }
            inside.add(pid);
            return Origin.CONTAINER;
        }
        return theirs.isEmpty() || !hasRoot(pid) ? Origin.GONE : isEngine(pid) ? Origin.ENGINE : Origin.OTHER;
    }

    /** A process that ends has no root any more, and in a version 1 hierarchy it is in the root group then. */
    private static boolean hasRoot(int pid) {
        return Files.exists(PROC.resolve(Integer.toString(pid)).resolve("root"));
    }

    private static Cgroups ownOf(Cgroups container) {
        Cgroups own = container;
        for (String host : List.of("self", "1")) {
            own = own.without(Cgroups.of(host).orElse(new Cgroups(Map.of())));
        }
        return own;
    }

    private static boolean isEngine(int pid) {
        try {
            return ENGINE.matcher(Files.readString(PROC.resolve(pid + "/comm")).strip())
                    .matches();
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private synchronized List<Integer> newestFirst() {
        return List.copyOf(seen);
    }

    OptionalInt any() {
        for (int pid : newestFirst()) {
            if (paths.isRootOf(pid)) {
                return OptionalInt.of(pid);
            }
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                int pid = Integer.parseInt(String.valueOf(process.getFileName()));
                if (paths.isRootOf(pid)) {
                    return OptionalInt.of(pid);
                }
            }
        } catch (IOException e) {
            return OptionalInt.empty(); // tried again by the caller
        }
        return OptionalInt.empty();
    }
}
