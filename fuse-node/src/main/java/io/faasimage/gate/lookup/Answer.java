package io.faasimage.gate.lookup;

/** What the gate says to a look-up. */
public enum Answer {
    /** A directory, empty to look at. */
    DIRECTORY,
    /** Not here: overlayfs goes on to the next layer. */
    ABSENT,
    /** It cannot be had now. */
    FAILED,
    /** It has arrived in a layer that this look-up had passed: look again from the first. */
    ARRIVED
}
