package io.faasimage.node.pull;

import io.faasimage.format.plan.Plan;
import java.io.IOException;

/** A source of plans, read when a pull begins. */
@FunctionalInterface
public interface PlanSource {
    /** The plan. */
    Plan load() throws IOException;
}
