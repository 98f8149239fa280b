package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file descriptor that another process holds, too. Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/pidfd_getfd.2.html">pidfd_getfd(2)</a>
 */
public final class Descriptor implements AutoCloseable {
    private final int fd;

    private Descriptor(int fd) {
        this.fd = fd;
    }

    /**
     * A duplicate of one that another process holds (Linux 5.6; needs CAP_SYS_PTRACE).
     *
     * @param pid of a live process
     * @param number its number there
     */
    public static Descriptor of(long pid, int number) throws LinuxException {
        String name = "descriptor " + number + " of process " + pid;
        int process = LinuxException.check("pidfd_open", name, Libc.pidfdOpen(Math.toIntExact(pid)));
        try {
            return new Descriptor(LinuxException.check("pidfd_getfd", name, Libc.pidfdGetfd(process, number)));
        } finally {
            Libc.close(process);
        }
    }

    /** Its number in this process. */
    public int number() {
        return fd;
    }

    /** The file that it refers to, as /proc shows it. */
    String target() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).toString();
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
