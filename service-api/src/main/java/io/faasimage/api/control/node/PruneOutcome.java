package io.faasimage.api.control.node;

/**
 * The outcome of a pruning.
 *
 * @param objects dropped
 * @param bytes of these
 * @param plans dropped
 * @param images metadata images dropped
 * @param imageBytes of these
 * @param keptPlans that remain
 */
public record PruneOutcome(long objects, long bytes, int plans, int images, long imageBytes, int keptPlans) {}
