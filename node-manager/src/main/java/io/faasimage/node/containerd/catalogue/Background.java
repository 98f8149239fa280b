package io.faasimage.node.containerd.catalogue;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The permission for work that no start waits for. */
public interface Background {
    /**
     * Waits until no start waits for anything.
     *
     * @param unless ends the wait at once; looked at now and then
     */
    void awaitCalm(BooleanSupplier unless) throws InterruptedException;

    /** Whether the disk has room for more. */
    boolean hasRoom() throws IOException;
}
