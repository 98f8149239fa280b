package io.faasimage.builder;

/** Is told how far a build is; must not block. */
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
