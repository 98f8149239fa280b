package io.faasimage.node.plans.lazy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The check whether the gate is mounted, which every planned root file system needs below it. Thread-safe. */
public interface GateReadiness {
    /**
     * Returns as soon as the gate answers.
     *
     * @throws IOException when it does not within {@code limit}; the message names the reason and the remedy
     */
    void await(Duration limit) throws IOException;

    /**
     * Why the gate has been down for longer than {@code span}; empty when it is up, or has not been down for so long.
     */
    Optional<String> downFor(Duration span);
}
