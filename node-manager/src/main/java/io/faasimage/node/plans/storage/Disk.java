package io.faasimage.node.plans.storage;

import java.io.IOException;

/** The file system of the object store. */
@FunctionalInterface
public interface Disk {
    /** Bytes that are free on it. */
    long availableBytes() throws IOException;
}
