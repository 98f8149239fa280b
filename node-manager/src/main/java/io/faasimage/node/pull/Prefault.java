package io.faasimage.node.pull;

import io.faasimage.linux.LinuxException;
import io.faasimage.node.link.event.Events;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thread that reads what a start will read out of packs into the page cache, in the order in which it comes: else
 * each page is decompressed in the fault of the thread that waits for it. Thread-safe.
 */
final class Prefault implements AutoCloseable {
    private final Optional<Packs> packs;
    private final Events events;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("prefault").daemon().factory());

    Prefault(Optional<Packs> packs, Events events) {
        this.packs = packs;
        this.events = events;
    }

    /** Reads what is wanted of an object, which is there. Returns at once. */
    void read(PackTarget target) {
        execute(() -> {
            try {
                target.readAhead();
            } catch (LinuxException e) {
                // A start reads it by itself.
            }
        });
    }

    /** The pull into the pack has ended. Returns at once. */
    void settle(Pack pack) {
        execute(() -> {
            try {
                packs.orElseThrow().settled(pack);
            } catch (IOException e) {
                events.error("pull", "a pack stays as it was during its pull: " + Events.reason(e));
            }
        });
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            // The agent stops.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
