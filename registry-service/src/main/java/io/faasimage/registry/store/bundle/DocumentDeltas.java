package io.faasimage.registry.store.bundle;

import io.faasimage.format.bundle.Delta;

/**
 * Plan and metadata image of a bundle as their differences to those of a plan that the node has.
 *
 * @param plan the plan's
 * @param metadata that of the metadata image of the plan's top
 */
record DocumentDeltas(Delta plan, Delta metadata) {}
