package io.faasimage.refactor;

/** A listener to the progress of a refactoring; called from several threads, it must return quickly. */
@FunctionalInterface
public interface ProgressListener {
    /** A listener that does nothing. */
    ProgressListener NONE = (phase, done, total) -> {};

    /** The steps of a refactoring, in order. */
    enum Phase {
        /** Layers are downloaded and read; unit: bytes of the blobs. */
        READ,
        /** Layers are put on one another, metadata images are written; unit: layers. */
        FLATTEN,
        /** Files are given to segments and libraries; unit: files. */
        CLASSIFY,
        /** Objects are compressed into packs; unit: bytes of content. */
        PACK
    }

    /** Reports that {@code done} of {@code total} units of {@code phase} are done. */
    void progress(Phase phase, long done, long total);
}
