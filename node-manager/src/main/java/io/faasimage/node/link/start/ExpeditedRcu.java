package io.faasimage.node.link.start;

import io.faasimage.linux.IsolatedProcessors;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's switch for expedited grace periods of read-copy-update, which is on while containers start: joining a
 * cgroup and unmounting wait for such periods. The switch's previous value is restored some seconds after the last
 * container was requested, and by the next agent when this one is killed meanwhile. Thread-safe.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/kernel-parameters.html">rcupdate.rcu_expedited</a>
 */
public final class ExpeditedRcu implements StartEvents, AutoCloseable {
    private static final Logger LOG = System.getLogger(ExpeditedRcu.class.getName());
    /** Longer than containerd takes from the root file system to the container's first process. */
    private static final Duration START = Duration.ofSeconds(3);

    private final StartEvents next;
    private final Path control;
    private final Path before;
    private final Duration start;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("expedited-rcu").daemon().factory());
    private @Nullable ScheduledFuture<?> end;

    /**
     * The switch of this machine.
     *
     * @param system the root of {@code /sys}
     * @param next takes each event after this
     * @param run a directory that does not outlive a boot, where the switch's former state is kept while it is on
     * @throws IOException when the kernel has no such switch, or has isolated processors, which expedited grace periods
     *     would interrupt
     */
    public static ExpeditedRcu of(StartEvents next, Path system, Path run) throws IOException {
        Optional<String> isolated = IsolatedProcessors.find(system);
        if (isolated.isPresent()) {
            throw new IOException("expedited RCU would interrupt isolated processors, " + isolated.get()
                    + "; start faasimage-node without --expedite-rcu");
        }
        return new ExpeditedRcu(
                next, system.resolve("kernel/rcu_expedited"), run.resolve("rcu-expedited-before"), START);
    }

    ExpeditedRcu(StartEvents next, Path control, Path before, Duration start) throws IOException {
        this.next = next;
        this.control = control;
        this.before = before;
        this.start = start;
        if (!Files.isWritable(control)) {
            throw new IOException(control + " cannot be written: this kernel has no switch for expedited RCU, or the"
                    + " agent is not root; start it without --expedite-rcu");
        }
        putBack();
    }

    @Override
    public void accept(StartEvent event) {
        if (event instanceof StartEvent.Requested) {
            begin();
        }
        next.accept(event);
    }

    @Override
    public boolean awaitsProcess(String namespace) {
        return next.awaitsProcess(namespace);
    }

    private synchronized void begin() {
        if (timer.isShutdown()) {
            return;
        }
        if (end == null) {
            turnOn();
        } else {
            end.cancel(false);
        }
        end = timer.schedule(this::end, start.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void turnOn() {
        try {
            Files.writeString(before, Files.readString(control));
            Files.writeString(control, "1");
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not turn expedited RCU on: {0}", e.getMessage());
        }
    }

    private synchronized void end() {
        end = null;
        putBack();
    }

    private void putBack() {
        try {
            if (Files.exists(before)) {
                Files.writeString(control, Files.readString(before));
                Files.delete(before);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not put {0} back: {1}", control, e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        putBack();
    }
}
