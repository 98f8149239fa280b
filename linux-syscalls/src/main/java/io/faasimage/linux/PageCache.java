package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * The kernel's page cache: which pages of a file are in it, reading a file into it and dropping one from it.
 * Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mincore.2.html">mincore(2)</a>
 */
public final class PageCache {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int POSIX_FADV_WILLNEED = 3;
    private static final int POSIX_FADV_DONTNEED = 4;
    private static final long WINDOW_BYTES = 1L << 30;
    /** The kernel reads no more at a call, unless the device wants larger requests. */
    private static final long STEP_BYTES = 128 << 10;

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
        readAhead(file, List.of(new long[] {0, file.toFile().length()}));
    }

    /**
     * Reads parts of a file into the page cache, as {@link #readAhead(Path)} does the whole; of a compressed file
     * system, they are decompressed by the caller.
     *
     * @param ranges offset and length of each, bytes
     */
    public static void readAhead(Path file, Iterable<long[]> ranges) throws LinuxException {
        with(file, "posix_fadvise", fd -> {
            int result = 0;
            for (long[] range : ranges) {
                long end = range[0] + range[1];
                for (long at = range[0]; at < end && result >= 0; at += STEP_BYTES) {
                    result = Libc.fadvise(fd, at, Math.min(STEP_BYTES, end - at), POSIX_FADV_WILLNEED);
                }
            }
            return result;
        });
    }

    /**
     * Drops the pages of a file that are clean and that nothing maps (posix_fadvise(3) with POSIX_FADV_DONTNEED). Its
     * readers read it from the disk then.
     */
    public static void drop(Path file) throws LinuxException {
        with(file, "posix_fadvise", fd -> Libc.fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
    }

    /**
     * How many pages of a file are in the page cache (cachestat(2), since Linux 6.5).
     *
     * @throws LinuxException ENOSYS on an older kernel
     */
    public static long cachedPages(Path file) throws LinuxException {
        return with(file, "cachestat", Libc::cachedPages);
    }

    /** Bytes of a page of this machine. */
    public static int pageBytes() throws LinuxException {
        return LinuxException.check("getpagesize", "", Libc.getpagesize());
    }

    /**
     * The pages of {@code file} that are in memory, no matter which process read them. Reads none of them.
     *
     * @throws IOException when the file cannot be mapped
     */
    public static BitSet resident(Path file) throws IOException {
        BitSet resident = new BitSet();
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            for (long at = 0; at < size; at += WINDOW_BYTES) {
                window(channel, at, Math.min(WINDOW_BYTES, size - at), file, resident);
            }
        }
        return resident;
    }

    private static void window(FileChannel channel, long at, long length, Path file, BitSet resident)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, at, length, arena);
            int page = pageBytes();
            MemorySegment pages = arena.allocate((length - 1) / page + 1);
            LinuxException.check("mincore", file.toString(), Libc.mincore(mapped, pages));
            for (long i = 0; i < pages.byteSize(); i++) {
                if ((pages.get(ValueLayout.JAVA_BYTE, i) & 1) != 0) {
                    resident.set(Math.toIntExact(at / page + i));
                }
            }
        }
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
