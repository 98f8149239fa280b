package io.faasimage.adapter.contract;

/**
 * A function as the provider lists it.
 *
 * @param deployment the function and its image
 * @param replicas of it; 0 when it is scaled to zero
 */
public record ListedFunction(Deployment deployment, int replicas) {}
