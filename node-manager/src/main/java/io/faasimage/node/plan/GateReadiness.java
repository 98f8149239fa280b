package io.faasimage.node.plan;

import java.io.IOException;
import java.time.Duration;

/** Whether the gate is mounted, which every planned root file system needs below it. Thread-safe. */
@FunctionalInterface
public interface GateReadiness {
    /**
     * Returns as soon as the gate answers.
     *
     * @throws IOException when it does not within {@code limit}; the message says why and what to do
     */
    void await(Duration limit) throws IOException;
}
