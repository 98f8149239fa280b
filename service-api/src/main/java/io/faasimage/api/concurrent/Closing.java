package io.faasimage.api.concurrent;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** The parts of a process in the order in which they began; they end in the opposite one. Thread-safe. */
public final class Closing implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Closing.class.getName());

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part that has begun. */
    public synchronized <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Removes a part, which somebody else ends. */
    public synchronized void leave(AutoCloseable part) {
        parts.remove(part);
    }

    /** Ends all parts, the last added first. Idempotent. */
    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "could not end " + part.getClass().getSimpleName(), e);
            }
        }
    }
}
