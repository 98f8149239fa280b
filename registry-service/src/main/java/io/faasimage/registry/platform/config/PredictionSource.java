package io.faasimage.registry.platform.config;

/** The basis of an image's plan before its first start. */
public enum PredictionSource {
    /** Nothing: the first start is that of an unplanned image. */
    NONE,
    /** The trace of an earlier image of the same function or repository. */
    TRACES,
    /** Traces of earlier images, profiles of libraries and runtimes, and the static closure. */
    ALL
}
