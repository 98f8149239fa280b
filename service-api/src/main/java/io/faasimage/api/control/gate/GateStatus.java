package io.faasimage.api.control.gate;

import java.util.Optional;

/**
 * The status of a gate, as it reports it. Paths are absolute.
 *
 * @param pid its process; -1 when not reported
 * @param mount where objects are requested
 * @param connection of that mount to the kernel
 * @param guard descriptor, in its process, of the agent's guard of packs; -1 when it keeps none
 * @param images where it shows root file systems, when it does
 * @param store directory of the object store
 * @param registry addresses of the service
 * @param requests look-ups of missing objects
 * @param callbacks requests from the kernel
 * @param fetches of objects
 */
public record GateStatus(
        long pid,
        String mount,
        Connection connection,
        int guard,
        Optional<Images> images,
        String store,
        String registry,
        long requests,
        long callbacks,
        FetchStatus fetches) {
    /**
     * A connection to the kernel.
     *
     * @param descriptor of {@code /dev/fuse} in the gate's process; -1 when not reported
     * @param resends whether the kernel can send requests again (Linux 6.9)
     */
    public record Connection(int descriptor, boolean resends) {
        /** A connection that no other process could adopt. */
        public static final Connection NONE = new Connection(-1, false);
    }

    /**
     * The mount at which a gate shows root file systems.
     *
     * @param path where
     * @param mapped metadata images
     * @param callbacks requests from the kernel
     * @param filesOpen now
     * @param bytesRead through it
     */
    public record Images(String path, long mapped, long callbacks, long filesOpen, long bytesRead) {}

    /** Of a gate that serves {@code mount} for {@code registry}, and has done nothing yet. */
    public static GateStatus of(long pid, String mount, String registry) {
        return new GateStatus(pid, mount, Connection.NONE, -1, Optional.empty(), "", registry, 0, 0, FetchStatus.NONE);
    }
}
