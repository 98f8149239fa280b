package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A network namespace that has nothing but a loopback interface: a process in it reaches what was opened by
 * {@link #inside}, and nothing else. It ends when it is closed and the last process and socket in it have gone. Needs
 * CAP_SYS_ADMIN. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/network_namespaces.7.html">network_namespaces(7)</a>
 */
public final class NetworkNamespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
    private static final long SIOCSIFFLAGS = 0x8914;
    private static final short UP_AND_RUNNING = 0x1 | 0x40;
    private static final int REQUEST_BYTES = 40;
    private static final int FLAGS_OFFSET = 16;

    private final int fd;

    private NetworkNamespace(int fd) {
        this.fd = fd;
    }

    /** A new namespace, whose loopback interface is up. */
    public static NetworkNamespace create() throws IOException {
        return onThread(() -> {
            LinuxException.check("unshare", "network namespace", Libc.unshare(CLONE_NEWNET));
            enableLoopback();
            String name = "/proc/thread-self/ns/net";
            return new NetworkNamespace(
                    LinuxException.check("open", name, Libc.open(PathBytes.of(Path.of(name)), O_RDONLY_CLOEXEC)));
        });
    }

    private static void enableLoopback() throws LinuxException {
        byte[] request = ByteBuffer.allocate(REQUEST_BYTES)
                .order(ByteOrder.nativeOrder())
                .put("lo".getBytes(StandardCharsets.US_ASCII))
                .putShort(FLAGS_OFFSET, UP_AND_RUNNING)
                .array();
        int socket = LinuxException.check("socket", "lo", Libc.socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0));
        try {
            LinuxException.check("SIOCSIFFLAGS", "lo", Libc.ioctl(socket, SIOCSIFFLAGS, request));
        } finally {
            Libc.close(socket);
        }
    }

    /** By which other processes of this process's user can enter it, until it is closed. */
    public Path path() {
        return Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd", Integer.toString(fd));
    }

    /** Calls {@code action} on a thread in the namespace; a socket that it opens stays there, on any thread. */
    public <T> T inside(Callable<T> action) throws IOException {
        return onThread(() -> {
            LinuxException.check("setns", path().toString(), Libc.setns(fd, CLONE_NEWNET));
            return action.call();
        });
    }

    /** On a thread that ends, as there is no way back from a namespace. */
    private static <T> T onThread(Callable<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = Thread.ofPlatform().name("network-namespace").daemon().start(task);
        try {
            thread.join();
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in a network namespace", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.toString() : e.getCause().getMessage(), e.getCause());
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
