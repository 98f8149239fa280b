package io.faasimage.node.metrics;

/** A part of the node that is measured. */
public interface Measured {
    /** Its metrics. */
    Meters meters();

    /**
     * Reads the values that must be consistent among its metrics. Called before they are read; by one thread at a time.
     */
    default void refresh() {}
}
