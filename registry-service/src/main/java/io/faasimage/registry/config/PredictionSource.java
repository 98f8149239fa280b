package io.faasimage.registry.config;

/** What the plan of an image is predicted from before its first start. */
public enum PredictionSource {
    /** Nothing: the first start is that of an unplanned image. */
    NONE,
    /** The trace of an earlier image of the same function or repository. */
    TRACES,
    /** Traces of earlier images, profiles of libraries and runtimes, and the static closure. */
    ALL
}
