package io.faasimage.node.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** A search for sockets among the descriptors of a process and its descendants. Used once; not thread-safe. */
final class SocketSearch {
    private static final Path PROCESSES = Path.of("/proc");

    private final Set<String> missing;
    private final Deque<String> waiting = new ArrayDeque<>();
    private int left;
    private boolean whole = true;

    /**
     * Looks for {@code sockets}.
     *
     * @param sockets as links to them are, {@code socket:[inode]}
     * @param most descriptors, threads and processes that are read
     */
    SocketSearch(Collection<String> sockets, int most) {
        missing = new HashSet<>(sockets);
        left = most;
    }

    /** Looks from the process {@code pid} on down, until all are found or as much is read as may be. */
    SocketSearch below(int pid) {
        waiting.add(Integer.toString(pid));
        while (!waiting.isEmpty() && !isOver()) {
            Path process = PROCESSES.resolve(waiting.remove());
            try {
                descriptors(process.resolve("fd"));
                children(process.resolve("task"));
            } catch (IOException | DirectoryIteratorException e) {
                // It has ended, and its children have another parent.
                whole = false;
            }
        }
        return this;
    }

    /** Sockets that no process was found to hold. */
    Set<String> missing() {
        return missing;
    }

    /** Whether there was more to read than may be. */
    boolean isCut() {
        return left <= 0;
    }

    /**
     * Whether all processes were seen; if not, a socket may be missing because its process could not be found just now.
     */
    boolean isWhole() {
        return whole;
    }

    private boolean isOver() {
        return missing.isEmpty() || isCut();
    }

    private void descriptors(Path directory) throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
            for (Path descriptor : descriptors) {
                left--;
                try {
                    missing.remove(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException e) {
                    // Closed meanwhile.
                }
                if (isOver()) {
                    return;
                }
            }
        }
    }

    private void children(Path threads) throws IOException {
        if (isOver()) {
            return;
        }
        try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                String children = Files.readString(thread.resolve("children"), StandardCharsets.US_ASCII);
                left--;
                for (String child : children.split(" ")) {
                    if (!child.isEmpty()) {
                        left--;
                        waiting.add(child);
                    }
                }
                if (isOver()) {
                    return;
                }
            }
        }
    }
}
