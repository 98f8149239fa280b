package io.faasimage.store;

/** The outcome of publishing an object. */
public enum Publication {
    /** This call wrote the object. */
    PUBLISHED,
    /** The store held it already, or somebody else wrote it meanwhile; the given content may not have been read. */
    ALREADY_HELD
}
