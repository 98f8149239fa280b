package io.faasimage.node.metrics;

/** A part of the node that is measured. */
public interface Measured {
    /** Its metrics. */
    Meters meters();

    /** Reads what is to be the same in all its metrics. Called before they are read; by one thread at a time. */
    default void refresh() {}
}
