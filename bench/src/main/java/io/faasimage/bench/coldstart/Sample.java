package io.faasimage.bench.coldstart;

/**
 * One measured start. Times in milliseconds.
 *
 * @param pull duration of the pull command; 0 in a warm start
 * @param start duration of the start command
 * @param answer from the end of the start command to the first 200
 * @param total from before the pull to the first 200
 * @param bytes received on the network interface meanwhile
 */
public record Sample(double pull, double start, double answer, double total, long bytes) {}
