package io.faasimage.store;

/** What background work does between two objects: it waits while something more urgent goes on. */
@FunctionalInterface
public interface Pause {
    /** Returns when it may go on. */
    void await() throws InterruptedException;
}
