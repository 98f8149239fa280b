package io.faasimage.builder.install;

import java.time.Duration;

/**
 * Limits on the installation of libraries.
 *
 * @param time from its start to its end
 * @param memoryBytes of all its processes
 * @param diskBytes of what it installs, its temporary files included
 * @param outputBytes of what it prints, that are kept
 */
public record InstallLimits(Duration time, long memoryBytes, long diskBytes, int outputBytes) {
    /** Checks that all are positive. */
    public InstallLimits {
        if (time.isNegative() || time.isZero() || memoryBytes < 1 || diskBytes < 1 || outputBytes < 1) {
            throw new IllegalArgumentException("the limits of an installation must be positive");
        }
    }
}
