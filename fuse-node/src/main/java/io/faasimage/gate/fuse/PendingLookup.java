package io.faasimage.gate.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A look-up with a waiting reader. Answered once: with its result, or with an interruption when the waiter is being
 * killed. A signal that does not kill the waiter interrupts nothing, since programs do not expect that of opening a
 * file. Thread-safe.
 */
final class PendingLookup {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String PENDING_SIGNALS = "SigPnd:";
    private static final long SIGKILL = 1L << 8;
    private static final long POLL_MILLIS = 100;

    private final int pid;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final AtomicBoolean watched = new AtomicBoolean();
    private final CountDownLatch answered = new CountDownLatch(1);

    /** A look-up of the thread {@code pid}; 0 when it is not known here. */
    PendingLookup(int pid) {
        this.pid = pid;
    }

    /** True for the first answer. */
    boolean claim() {
        answered.countDown();
        return claimed.compareAndSet(false, true);
    }

    /**
     * The waiter got a signal. The kernel reports that once, so that the waiter is watched from then on.
     *
     * @param killed called when it is being killed, unless the look-up is answered first
     */
    void interrupted(Runnable killed) {
        if (pid > 0 && watched.compareAndSet(false, true)) {
            Thread.ofVirtual().name("interrupted-lookup").start(() -> watch(killed));
        }
    }

    private void watch(Runnable killed) {
        try {
            do {
                if (isKilled()) {
                    killed.run();
                    return;
                }
            } while (!answered.await(POLL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread of a process that is being killed has the signal pending until it leaves the kernel. */
    private boolean isKilled() {
        try {
            List<String> status =
                    Files.readAllLines(PROCESSES.resolve(Integer.toString(pid)).resolve("status"));
            return status.stream()
                    .filter(line -> line.startsWith(PENDING_SIGNALS))
                    .anyMatch(line -> (Long.parseUnsignedLong(
                                            line.substring(PENDING_SIGNALS.length())
                                                    .strip(),
                                            16)
                                    & SIGKILL)
                            != 0);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }
}
