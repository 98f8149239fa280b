package io.faasimage.store;

/** A tier of the store: each object is in one of them, except while it moves. */
public enum Tier {
    /** A small directory on fast storage, for the objects that starts read: NVMe, persistent memory or tmpfs. */
    FAST,
    /** The store's root, for everything else, and for everything when there is no fast directory. */
    CAPACITY
}
