package io.faasimage.adapter.contract;

/**
 * A function as the provider lists it.
 *
 * @param deployment which, and its image
 * @param replicas that there are; 0 when it is scaled to zero
 */
public record ListedFunction(Deployment deployment, int replicas) {}
