package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.file.Path;

/** Entering the namespaces of other processes. */
public final class Namespaces {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;

    private Namespaces() {}

    /**
     * Moves the calling thread into the network namespace of a process; sockets it opens from now on are there. There
     * is no way back here: call it from a platform thread that ends afterwards.
     *
     * @param pid a live process
     * @throws LinuxException when the process has gone (ENOENT) or this one may not
     */
    public static void enterNetworkOf(long pid) throws LinuxException {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a namespace belongs to a platform thread");
        }
        String name = "/proc/" + pid + "/ns/net";
        int fd = LinuxException.check("open", name, Libc.open(PathBytes.of(Path.of(name)), O_RDONLY_CLOEXEC));
        try {
            LinuxException.check("setns", name, Libc.setns(fd, CLONE_NEWNET));
        } finally {
            Libc.close(fd);
        }
    }
}
