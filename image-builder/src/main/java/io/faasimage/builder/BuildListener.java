package io.faasimage.builder;

/** A listener to the progress of a build; it must not block. */
@FunctionalInterface
public interface BuildListener {
    /** What a build does, in this order. */
    enum Phase {
        RUNTIME,
        LIBRARIES,
        LAYERS,
        PUSH
    }

    /** {@code done} of {@code total} steps of a phase; a total of 0 is not known. */
    void progress(Phase phase, int done, int total);
}
