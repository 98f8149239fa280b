package io.faasimage.node.pull;

/** A receiver of the outcomes of pulls and look-ups. Every call returns at once. */
public interface PullListener {
    /** No-op. */
    PullListener NONE = new PullListener() {};

    /** A pull has ended; called on its thread. */
    default void ended(PullReport report) {}

    /** A look-up has waited for so many nanoseconds; called on its thread. */
    default void waited(long nanos) {}
}
