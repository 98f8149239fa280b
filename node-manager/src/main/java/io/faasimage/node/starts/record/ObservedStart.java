package io.faasimage.node.starts.record;

import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.link.start.StartEvent.Requested;
import io.faasimage.node.plans.plan.StoredPlan;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The observations of one start. Times are nanoseconds of the monotonic clock.
 *
 * @param begin of the start
 * @param times when each step was reached, as far as that was seen
 * @param failure why the root file system could not be made
 */
record ObservedStart(Begin begin, Map<Step, Long> times, Optional<String> failure) {
    ObservedStart {
        times = Map.copyOf(times);
    }

    /** A step on the way from the request for a root file system to a function that answers. */
    enum Step {
        MOUNTED,
        MAY_START,
        CREATED,
        FIRST_PROCESS,
        READY,
        FAILED
    }

    /**
     * The begin of a start: a container's root file system is requested.
     *
     * @param id of the start, unique
     * @param container that starts
     * @param plan that it starts from; empty for an unplanned image
     * @param arrival of the plan, when this start is the first after it
     * @param nanos when the start began: before the request where the image came for it
     * @param at the same by the wall clock
     * @param unpacked whether layers were unpacked for it
     * @param unplanned why the image is an ordinary one, if that is known
     * @param requested when the container was requested
     */
    record Begin(
            String id,
            Requested container,
            Optional<StoredPlan> plan,
            Optional<PlanArrived> arrival,
            long nanos,
            Instant at,
            boolean unpacked,
            Optional<String> unplanned,
            long requested) {}

    /** When a step was reached, if that was seen. */
    OptionalLong time(Step step) {
        Long nanos = times.get(step);
        return nanos == null ? OptionalLong.empty() : OptionalLong.of(nanos);
    }
}
