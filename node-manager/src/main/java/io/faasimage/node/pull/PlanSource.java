package io.faasimage.node.pull;

import io.faasimage.format.plan.Plan;
import java.io.IOException;

/** Reads a plan when its pull begins. */
@FunctionalInterface
public interface PlanSource {
    /** The plan. */
    Plan load() throws IOException;
}
