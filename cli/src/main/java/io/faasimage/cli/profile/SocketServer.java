package io.faasimage.cli.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The process that listens at a UNIX socket, found in {@code /proc}. */
final class SocketServer {
    /** Of a listening socket in {@code /proc/net/unix}: __SO_ACCEPTCON. */
    private static final String LISTENS = "00010000";

    private SocketServer() {}

    /**
     * Its process ID.
     *
     * @throws IOException when no process listens there
     */
    static long of(Path socket) throws IOException {
        String inode;
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/unix"))) {
            inode = sockets.map(line -> line.strip().split("\\s+"))
                    .filter(fields ->
                            fields.length == 8 && fields[3].equals(LISTENS) && fields[7].equals(socket.toString()))
                    .map(fields -> fields[6])
                    .findFirst()
                    .orElseThrow(() -> new IOException("nobody listens at " + socket + "; is containerd running?"));
        }
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .mapToLong(ProcessHandle::pid)
                    .filter(process -> has(process, "socket:[" + inode + "]"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("cannot see which process listens at " + socket
                            + "; are you root, in the host's process namespace?"));
        }
    }

    private static boolean has(long process, String target) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process + "/fd"))) {
            return descriptors.map(SocketServer::target).anyMatch(Optional.of(target)::equals);
        } catch (IOException e) {
            // It has ended, or is not ours to look at.
            return false;
        }
    }

    private static Optional<String> target(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
