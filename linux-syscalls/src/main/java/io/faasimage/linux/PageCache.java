package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.file.Path;

/** The kernel's page cache: what it has of a file, and reading a file into it. Thread-safe. */
public final class PageCache {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int POSIX_FADV_WILLNEED = 3;

    private PageCache() {}

    @FunctionalInterface
    private interface Call {
        int on(int fd);
    }

    /**
     * Begins to read a whole file into the page cache (posix_fadvise(3) with POSIX_FADV_WILLNEED). The data arrive in
     * the background; the file's own metadata are read before this returns.
     */
    public static void readAhead(Path file) throws LinuxException {
        with(file, "posix_fadvise", fd -> Libc.fadvise(fd, POSIX_FADV_WILLNEED));
    }

    /**
     * How many pages of a file are in the page cache (cachestat(2), since Linux 6.5).
     *
     * @throws LinuxException ENOSYS on an older kernel
     */
    public static long cachedPages(Path file) throws LinuxException {
        return with(file, "cachestat", Libc::cachedPages);
    }

    private static int with(Path file, String name, Call call) throws LinuxException {
        int fd = LinuxException.check("open", file.toString(), Libc.open(PathBytes.of(file), O_RDONLY_CLOEXEC));
        try {
            return LinuxException.check(name, file.toString(), call.on(fd));
        } finally {
            Libc.close(fd);
        }
    }
}
