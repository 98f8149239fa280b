package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.file.Path;

/**
 * A file that gets holes. Thread-safe, but for the close.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/fallocate.2.html">fallocate(2)</a>
 */
public final class SparseFile implements AutoCloseable {
    private static final int O_WRONLY_CLOEXEC = 0x80001;
    private static final int FALLOC_FL_KEEP_SIZE = 1;
    private static final int FALLOC_FL_PUNCH_HOLE = 2;

    private final Path file;
    private final int fd;

    /** Opens a file; one that is guarded later ({@link ReadGuard}) can still get holes by this. */
    public SparseFile(Path file) throws LinuxException {
        this.file = file;
        this.fd = LinuxException.check("open", file.toString(), Libc.open(PathBytes.of(file), O_WRONLY_CLOEXEC));
    }

    /** Frees the blocks of a part of the file, which reads as zeros from then on; its size stays. */
    public void punch(long offset, long length) throws LinuxException {
        int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
        LinuxException.check("fallocate", file.toString(), Libc.fallocate(fd, mode, offset, length));
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
