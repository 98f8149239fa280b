package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * An open connection to the kernel's FUSE: a descriptor of {@code /dev/fuse} that belongs to a mounted file system.
 * Several processes may hold descriptors of one connection; it ends when the last is closed, or with the file system.
 * Thread-safe.
 */
public final class FuseConnection implements AutoCloseable {
    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final int S_IFMT = 0xf000;
    private static final int S_IFCHR = 0x2000;
    /** Major and minor number, as in the kernel's Documentation/admin-guide/devices.txt. */
    private static final long FUSE_NUMBER = 10 << 8 | 229;
    /** A signal came, or the request was given up while it was read. */
    private static final Set<Integer> AGAIN =
            Set.of(Errno.EINTR.number(), Errno.EAGAIN.number(), Errno.ENOENT.number());

    private final int fd;

    private FuseConnection(int fd) {
        this.fd = fd;
    }

    /**
     * Mounts a read-only file system at {@code directory}; until the first request is answered, all wait.
     *
     * @param source by which it is known in the mount table
     */
    public static FuseConnection mount(Path directory, String source) throws LinuxException {
        int fd = LinuxException.check("open", DEVICE.toString(), Libc.open(PathBytes.of(DEVICE), O_RDWR_CLOEXEC));
        try {
            Mounts.mount(
                    source,
                    directory,
                    "fuse",
                    Mounts.RDONLY | Mounts.NOSUID | Mounts.NODEV,
                    "fd=" + fd + ",rootmode=40000,user_id=0,group_id=0");
            return new FuseConnection(fd);
        } catch (LinuxException e) {
            Libc.close(fd);
            throw e;
        }
    }

    /**
     * The connection that another process holds (Linux 5.6; needs CAP_SYS_PTRACE).
     *
     * @param pid of a live process
     * @param descriptor its number there
     * @throws IOException when it is not available, or is something else
     */
    public static FuseConnection of(long pid, int descriptor) throws IOException {
        FuseConnection connection =
                new FuseConnection(Descriptor.of(pid, descriptor).number());
        if (!connection.isFuse()) {
            connection.close();
            throw new IOException("descriptor " + descriptor + " of process " + pid + " is no FUSE connection");
        }
        return connection;
    }

    /**
     * Whether it is FUSE's, by the device number, because there may be no path to the device: that ends with the mount
     * namespace of the process that opened it, such as a gate that an earlier agent started.
     */
    private boolean isFuse() throws IOException {
        Map<String, Object> status = Files.readAttributes(Path.of("/proc/self/fd/" + fd), "unix:mode,rdev");
        return status.get("mode") instanceof Integer mode
                && (mode & S_IFMT) == S_IFCHR
                && Objects.equals(status.get("rdev"), FUSE_NUMBER);
    }

    /** Its number in this process. */
    public int descriptor() {
        return fd;
    }

    /**
     * Waits for the next request, on a platform thread.
     *
     * @param buffer direct; holds the request afterwards, or nothing when there is none and the call has to be repeated
     * @return whether the file system is there still
     */
    public boolean read(ByteBuffer buffer) throws LinuxException {
        int result = Libc.read(fd, MemorySegment.ofBuffer(buffer.clear()));
        buffer.limit(Math.max(0, result));
        if (result >= 0 || AGAIN.contains(-result)) {
            return true;
        }
        if (result == -Errno.ENODEV.number()) {
            return false;
        }
        throw LinuxException.failed("read", DEVICE.toString(), -result, "");
    }

    /** Sends one reply or notification; false when its request does not wait any more. */
    public boolean write(byte[] message) throws LinuxException {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = Libc.write(fd, arena.allocateFrom(ValueLayout.JAVA_BYTE, message));
        }
        if (result == -Errno.ENOENT.number() || result == -Errno.ENODEV.number()) {
            return false;
        }
        LinuxException.check("write", DEVICE.toString(), result);
        return true;
    }

    /** Closes this process's descriptor. */
    @Override
    public void close() {
        Libc.close(fd);
    }
}
