package io.faasimage.node.plans.prefetch;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import java.time.Duration;

/**
 * Limits for requests of plans and for their pulls.
 *
 * @param lookup for the whole answer of the service to "is this chain planned", metadata image included
 * @param patience how much of that may be spent on waiting for a pause that the service requested
 * @param startupWait how long a container's start waits for a running pull; later, objects are fetched when read
 * @param gateWait how long a container's start waits for the gate
 * @param repull after a pull that did not get everything, the time in which a further start does not pull again
 * @param answerAge how long an answer of the service about a chain or an image is used
 * @param firstBytes stored bytes of objects that come with a plan in one answer; the others are requested
 * @param start when containers start, where their function does not say
 * @param fill whether the rest of an image is pulled, where its function does not say
 * @param startup the prefetch list of a start
 * @param have most plans named to the service as complete here
 */
public record PlanConfig(
        Duration lookup,
        Duration patience,
        Duration startupWait,
        Duration gateWait,
        Duration repull,
        Duration answerAge,
        long firstBytes,
        StartMode start,
        FillMode fill,
        PrefetchList startup,
        int have) {
    /** The standard limits: containers start early, and only objects that they read are fetched. */
    public static PlanConfig standard() {
        return standard(StartMode.EARLY, FillMode.NONE, PrefetchList.TRACE);
    }

    /** The standard limits. */
    public static PlanConfig standard(StartMode start, FillMode fill, PrefetchList startup) {
        return new PlanConfig(
                Duration.ofSeconds(15),
                Duration.ofSeconds(2),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                4 << 20,
                start,
                fill,
                startup,
                64);
    }
}
