package io.faasimage.node.trace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/** Finds a live process whose root is the container's: among those seen in events, else among all. Thread-safe. */
final class ContainerProcesses {
    private static final int REMEMBERED = 64;
    private static final Path PROC = Path.of("/proc");

    private final ContainerPaths paths;
    private final Deque<Integer> seen = new ArrayDeque<>();

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
