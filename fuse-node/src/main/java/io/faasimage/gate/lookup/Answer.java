package io.faasimage.gate.lookup;

/** The gate's answer to a look-up. */
public enum Answer {
    /** A directory, empty to look at. */
    DIRECTORY,
    /** Not here: overlayfs continues to the next layer. */
    ABSENT,
    /** It cannot be fetched now. */
    FAILED,
    /** It has arrived in a layer that this look-up had passed: look again from the first. */
    ARRIVED
}
