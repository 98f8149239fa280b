package io.faasimage.store;

/** Where an object lies: each is in one of them, but for the moment in which it moves. */
public enum Tier {
    /** A small directory on fast storage, for what starts read: NVMe, persistent memory or tmpfs. */
    FAST,
    /** The store's root, for everything else, and for everything when there is no fast directory. */
    CAPACITY
}
