package io.faasimage.node.gate;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process that listens at a unix socket, found in {@code /proc}: a hanging one does not answer a request for its
 * number.
 */
final class SocketOwner {
    private static final Path PROCESSES = Path.of("/proc");
    private static final int INODE_FIELD = 6;
    private static final int PATH_FIELD = 7;

    private SocketOwner() {}

    /**
     * The owner of the socket that was bound to exactly {@code path}; empty when there is none, or it is this process.
     */
    static Optional<ProcessHandle> of(Path path) throws IOException {
        Set<String> sockets;
        try (Stream<String> lines = Files.lines(PROCESSES.resolve("net/unix"))) {
            sockets = lines.map(line -> line.split(" +", PATH_FIELD + 1))
                    .filter(fields -> fields.length > PATH_FIELD && fields[PATH_FIELD].equals(path.toString()))
                    .map(fields -> "socket:[" + fields[INODE_FIELD] + "]")
                    .collect(Collectors.toSet());
        }
        return ProcessHandle.allProcesses()
                .filter(process -> !process.equals(ProcessHandle.current()) && hasOneOf(process, sockets))
                .findFirst();
    }

    private static boolean hasOneOf(ProcessHandle process, Set<String> sockets) {
        Path descriptors = PROCESSES.resolve(Long.toString(process.pid())).resolve("fd");
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : entries) {
                if (sockets.contains(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It has ended, or closed the descriptor, since the list was made.
            return false;
        }
        return false;
    }
}
