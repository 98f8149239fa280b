package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node, as {@code faasimage node status} shows it. A value that an older agent does not report is null.
 *
 * @param version of the node agent
 * @param pid its process
 * @param uptimeSeconds since its start
 * @param store of objects
 * @param mounts how planned images are mounted, and why
 * @param registry the link to the service
 * @param gate and its supervision
 * @param demand objects that were fetched because they were read
 * @param catalogue images that are kept ready in containerd; null when none are
 * @param plans on the node
 * @param pulls under way and over
 * @param events the latest, oldest first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeStatus(
        @Nullable String version,
        long pid,
        long uptimeSeconds,
        @Nullable Store store,
        @Nullable String mounts,
        @Nullable Registry registry,
        @Nullable SupervisedGate gate,
        @Nullable Demand demand,
        @Nullable Catalogue catalogue,
        List<PlanStatus> plans,
        PullStatus pulls,
        List<Event> events) {
    public NodeStatus {
        plans = plans == null ? List.of() : List.copyOf(plans);
        pulls = pulls == null ? new PullStatus(List.of(), List.of()) : pulls;
        events = events == null ? List.of() : List.copyOf(events);
    }

    /**
     * The object store.
     *
     * @param root state directory
     * @param objects present
     * @param bytes of these
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Store(@Nullable String root, long objects, long bytes) {}

    /**
     * The link to the service.
     *
     * @param address of it
     * @param awayBecause why no plans are requested from it now; null when they are
     * @param pauseMillis left of the pause that it requested; null when there is none
     * @param reachable whether it answered just now
     * @param requests sent since the agent began
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Registry(
            @Nullable String address,
            @Nullable String awayBecause,
            @Nullable Long pauseMillis,
            boolean reachable,
            long requests) {}

    /**
     * Look-ups of objects that were not on the node.
     *
     * @param waited those of objects that were on their way
     * @param fetched objects fetched for them
     * @param millis waited in all
     * @param limitSeconds how long one waits while nothing comes
     */
    public record Demand(long waited, long fetched, long millis, long limitSeconds) {}

    /**
     * The catalogue: images of functions that are kept ready in containerd, without their objects.
     *
     * @param wanted images that are to be ready
     * @param ready of these, in all namespaces
     * @param bytes of their plans and metadata images
     * @param refreshed when the service last listed them; null when it has not yet
     * @param full whether there are more than the node may keep
     * @param problem why nothing is added or removed now; null in the normal course
     * @param failed of the wanted images, those that could not be made ready
     * @param failures why, of the first; null when there are none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Catalogue(
            int wanted,
            int ready,
            long bytes,
            @Nullable Instant refreshed,
            boolean full,
            @Nullable String problem,
            int failed,
            @Nullable List<String> failures) {
        public Catalogue {
            failures = failures == null ? null : List.copyOf(failures);
        }
    }

    /**
     * An event.
     *
     * @param at when
     * @param severity a word
     * @param topic the part of the node that it concerns
     * @param text one sentence
     */
    public record Event(
            @Nullable Instant at,
            @Nullable String severity,
            @Nullable String topic,
            @Nullable String text) {}
}
