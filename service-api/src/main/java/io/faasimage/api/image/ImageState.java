package io.faasimage.api.image;

/** The state of an image on its way to a plan. */
public enum ImageState {
    /** Registered; its first start is still to be traced. Nodes handle it as an unplanned image. */
    UNTRACED,
    /** A refactor job is queued or runs; an earlier plan, if there is one, stays in use. */
    REFACTORING,
    /** A plan is there. */
    PLANNED,
    /** The last refactor job failed; the job says why. An earlier plan, if there is one, stays in use. */
    FAILED
}
