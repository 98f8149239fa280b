package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file attached read-only to a loop device. It detaches by itself when its last user has gone, and this object is one
 * user: mount the device, then {@link #close} it, and it lives as long as the mount.
 *
 * @see <a href="https://man7.org/linux/man-pages/man4/loop.4.html">loop(4)</a>
 */
public final class LoopDevice implements AutoCloseable {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;
    private static final int READ_ONLY_AUTOCLEAR = 1 | 4;
    private static final int CONFIG_BYTES = 304;
    private static final int FLAGS_OFFSET = 8 + 52;
    private static final int NAME_OFFSET = 8 + 56;
    private static final int NAME_BYTES = 63;
    private static final int TRIES = 64;

    private final Path path;
    private final int fd;
    private boolean closed;

    private LoopDevice(Path path, int fd) {
        this.path = path;
        this.fd = fd;
    }

    /** Attaches {@code file} to a free device. */
    public static LoopDevice attach(Path file) throws LinuxException {
        int backing = open(file, O_RDONLY_CLOEXEC);
        try {
            int control = open(Path.of("/dev/loop-control"), O_RDWR_CLOEXEC);
            try {
                return attach(file, backing, control);
            } finally {
                Libc.close(control);
            }
        } finally {
            Libc.close(backing);
        }
    }

    private static LoopDevice attach(Path file, int backing, int control) throws LinuxException {
        for (int i = 0; i < TRIES; i++) {
            int number = LinuxException.check("ioctl", "/dev/loop-control", Libc.ioctl(control, LOOP_CTL_GET_FREE, 0));
            Path device = Path.of("/dev/loop" + number);
            int fd = open(device, O_RDONLY_CLOEXEC);
            int result = Libc.ioctl(fd, LOOP_CONFIGURE, config(file, backing));
            if (result >= 0) {
                return new LoopDevice(device, fd);
            }
            Libc.close(fd);
            if (result != -Errno.EBUSY.number()) {
                throw LinuxException.failed("LOOP_CONFIGURE", file + " on " + device, -result, "");
            }
        }
        throw LinuxException.failed(
                "LOOP_CONFIGURE", file.toString(), Errno.EBUSY.number(), "other programs took every free loop device");
    }

    private static byte[] config(Path file, int backing) {
        byte[] name = PathBytes.of(file);
        return ByteBuffer.allocate(CONFIG_BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(0, backing)
                .putInt(FLAGS_OFFSET, READ_ONLY_AUTOCLEAR)
                .put(NAME_OFFSET, Arrays.copyOf(name, Math.min(name.length, NAME_BYTES)))
                .array();
    }

    private static int open(Path path, int flags) throws LinuxException {
        return LinuxException.check("open", path.toString(), Libc.open(PathBytes.of(path), flags));
    }

    /** The device, to be mounted. */
    public Path path() {
        return path;
    }

    /** Stops being a user of the device. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.close(fd);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
