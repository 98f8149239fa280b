package io.faasimage.store;

/** A pause of background work between two objects, while something more urgent is running. */
@FunctionalInterface
public interface Pause {
    /** Returns when it may continue. */
    void await() throws InterruptedException;
}
