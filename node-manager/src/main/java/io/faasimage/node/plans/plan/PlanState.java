package io.faasimage.node.plans.plan;

import io.faasimage.node.pull.Pull;
import org.jspecify.annotations.Nullable;

/**
 * The state of one plan on this node. Written under its own lock by {@link PlanStates}; single fields are read without
 * it.
 */
final class PlanState {
    /** The whole prefetch list was present once, by this process or an earlier one, and nothing of it was dropped. */
    volatile boolean complete;
    /** This process saw that the whole prefetch list is present: its starts pull nothing. */
    volatile boolean present;
    /** The pull of the prefetch list that runs. */
    volatile @Nullable Pull pull;
    /** How often objects had been dropped when that pull began. */
    long lossesBefore;
    /** When a pull for a start last ended without everything, in nanoseconds of the monotonic clock. */
    volatile @Nullable Long failed;
    /** The objects beyond the prefetch list are present, or are being fetched. */
    boolean filled;
    /** Its containers cannot fetch anything any more, and objects are still missing. */
    volatile boolean lacking;
}
