package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.file.Path;

/** Whole file systems: flushing one, its type and its space. */
public final class FileSystems {
    private static final int O_RDONLY_CLOEXEC = 0x80000;

    private FileSystems() {}

    /**
     * The result of statfs(2).
     *
     * @param type the magic number of the file system's type
     * @param totalBytes its size
     * @param freeBytes free bytes, with those reserved for root
     * @param availableBytes free bytes for everyone
     */
    public record Space(long type, long totalBytes, long freeBytes, long availableBytes) {
        /** {@link #type} of overlayfs. */
        public static final long OVERLAY = 0x794c7630L;
        /** {@link #type} of EROFS. */
        public static final long EROFS = 0xe0f5e1e2L;
        /** {@link #type} of tmpfs. */
        public static final long TMPFS = 0x01021994L;
        /** {@link #type} of FUSE. */
        public static final long FUSE = 0x65735546L;
    }

    /**
     * Writes everything of the file system of {@code path} (which must exist) to the disk; blocks until it is there.
     */
    public static void syncfs(Path path) throws LinuxException {
        int fd = LinuxException.check("open", path.toString(), Libc.open(PathBytes.of(path), O_RDONLY_CLOEXEC));
        try {
            LinuxException.check("syncfs", path.toString(), Libc.syncfs(fd));
        } finally {
            Libc.close(fd);
        }
    }

    /** Type and space of the file system of {@code path}. */
    public static Space space(Path path) throws LinuxException {
        long[] numbers = new long[5];
        LinuxException.check("statfs", path.toString(), Libc.statfs(PathBytes.of(path), numbers));
        long block = numbers[1];
        return new Space(numbers[0] & 0xffffffffL, numbers[2] * block, numbers[3] * block, numbers[4] * block);
    }
}
