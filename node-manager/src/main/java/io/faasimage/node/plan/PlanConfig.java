package io.faasimage.node.plan;

import java.time.Duration;

/**
 * Limits of the planned chains.
 *
 * @param lookup for the whole answer of the registry to "is this chain planned", metadata image included
 * @param startupWait how long a container's start waits for a running pull; what is missing then is fetched when read
 * @param gateWait how long a container's start waits for the gate
 * @param repull after a pull that did not get everything, the time in which a further start does not pull again
 * @param recent an answer of the registry younger than this shows that it is there
 * @param prefixAge how long after a plan came the metadata images of its lower layers are fetched
 * @param have most plans named to the registry as complete here
 */
public record PlanConfig(
        Duration lookup,
        Duration startupWait,
        Duration gateWait,
        Duration repull,
        Duration recent,
        Duration prefixAge,
        int have) {
    /** The standard limits. */
    public static PlanConfig standard() {
        return new PlanConfig(
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                64);
    }
}
