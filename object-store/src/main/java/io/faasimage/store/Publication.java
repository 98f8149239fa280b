package io.faasimage.store;

/** The outcome of publishing an object. */
public enum Publication {
    /** This call wrote the object. */
    PUBLISHED,
    /**
     * The store had it already, or another writer published it meanwhile; the given content may not have been read.
     */
    ALREADY_PRESENT
}
