package io.faasimage.cli.command;

import java.util.concurrent.atomic.AtomicBoolean;

/** A clean-up that runs once: when it is closed, or when a signal ends the process before that. Thread-safe. */
public final class Cleanup implements AutoCloseable {
    private final Runnable work;
    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread hook = new Thread(this::once, "cleanup");

    /** Cleans up by {@code work}. */
    public Cleanup(Runnable work) {
        this.work = work;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void once() {
        if (done.compareAndSet(false, true)) {
            work.run();
        }
    }

    @Override
    public void close() {
        once();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and its hook finds the work done.
            return;
        }
    }
}
