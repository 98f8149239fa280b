package io.faasimage.node.containerd.snapshot;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The state directory and the limits of the snapshotter.
 *
 * @param root directory of {@code snapshots/} and {@code snapshots.db}; its path goes into mount options, so it must be
 *     short and free of colons, commas, backslashes and white space
 * @param sockets the unix sockets, one for each containerd that uses this snapshotter; at least one, at most 103 bytes
 *     each
 * @param maxConcurrentCalls calls of one connection that are handled at a time
 * @param settings how snapshots are mounted and described
 * @param shutdownWait how long {@link SnapshotterServer#close} waits for running calls
 */
public record SnapshotterConfig(
        Path root, List<Path> sockets, SnapshotSettings settings, int maxConcurrentCalls, Duration shutdownWait) {
    private static final String UNREADY = ".new";
    private static final int MAX_SOCKET_BYTES = 107 - UNREADY.length();
    private static final Pattern UNFIT_FOR_MOUNT_OPTIONS = Pattern.compile("[:,\\\\\\s]");

    /** Checks the limits and makes the paths absolute. */
    public SnapshotterConfig {
        root = root.toAbsolutePath().normalize();
        sockets = sockets.stream().map(s -> s.toAbsolutePath().normalize()).toList();
        if (UNFIT_FOR_MOUNT_OPTIONS.matcher(root.toString()).find()) {
            throw new IllegalArgumentException("the state directory '" + root
                    + "' cannot be used in overlay mount options; choose one without colon, comma, backslash or space");
        }
        if (sockets.isEmpty()) {
            throw new IllegalArgumentException("the snapshotter needs a socket");
        }
        for (Path socket : sockets) {
            if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_BYTES) {
                throw new IllegalArgumentException("the socket path '" + socket + "' is longer than " + MAX_SOCKET_BYTES
                        + " bytes; choose a shorter run directory");
            }
        }
        if (maxConcurrentCalls <= 0 || shutdownWait.isNegative()) {
            throw new IllegalArgumentException("maxConcurrentCalls and shutdownWait must be positive");
        }
    }

    /** The usual limits, for one containerd. */
    public static SnapshotterConfig of(Path root, Path socket) {
        return of(root, List.of(socket));
    }

    /** The usual limits. */
    public static SnapshotterConfig of(Path root, List<Path> sockets) {
        return of(root, sockets, SnapshotSettings.usual());
    }

    /** The usual limits. */
    public static SnapshotterConfig of(Path root, List<Path> sockets, SnapshotSettings settings) {
        return new SnapshotterConfig(root, sockets, settings, 128, Duration.ofSeconds(10));
    }

    /** Where a socket is until its server is ready; then it moves to its place. */
    static Path unready(Path socket) {
        return socket.resolveSibling(socket.getFileName() + UNREADY);
    }
}
