package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a process, noticed at once. {@link ProcessHandle#onExit} polls a process that is no child of this one,
 * after a while every five seconds.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/pidfd_open.2.html">pidfd_open(2)</a>
 */
public final class ProcessExit {
    private static final int FOREVER = -1;

    private ProcessExit() {}

    /** Completes when {@code process} ends; a thread of its own waits for it. On Linux before 5.3 it may be late. */
    public static CompletableFuture<ProcessHandle> of(ProcessHandle process) {
        int descriptor = Libc.pidfdOpen(Math.toIntExact(process.pid()));
        if (descriptor < 0) {
            return process.onExit();
        }
        if (!process.isAlive()) {
            // The number may be another process's by now.
            Libc.close(descriptor);
            return CompletableFuture.completedFuture(process);
        }
        CompletableFuture<ProcessHandle> exit = new CompletableFuture<>();
        Thread.ofPlatform().name("exit-" + process.pid()).daemon().start(() -> await(descriptor, process, exit));
        return exit;
    }

    private static void await(int descriptor, ProcessHandle process, CompletableFuture<ProcessHandle> exit) {
        int result = Libc.pollInput(descriptor, FOREVER);
        while (result == -Errno.EINTR.number()) {
            result = Libc.pollInput(descriptor, FOREVER);
        }
        Libc.close(descriptor);
        if (result > 0) {
            exit.complete(process);
        } else {
            exit.completeExceptionally(LinuxException.failed("poll", "process " + process.pid(), -result, ""));
        }
    }
}
