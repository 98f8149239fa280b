package io.faasimage.builder.install;

import java.time.Duration;

/**
 * Limits on the installation of libraries.
 *
 * @param time from its start to its end
 * @param memoryBytes of all its processes
 * @param processors how many it may use, such as 0.5; at least a hundredth
 * @param ioBytes that it reads, and that it writes, a second, on the disk of its libraries; where the control groups
 *     know no limit for that disk, as for an overlay file system, it has none
 * @param diskBytes of what it installs, its temporary files included
 * @param outputBytes of what it prints, that are kept
 */
public record InstallLimits(
        Duration time, long memoryBytes, double processors, long ioBytes, long diskBytes, int outputBytes) {
    /** Checks that all are positive. */
    public InstallLimits {
        if (!time.isPositive()
                || memoryBytes < 1
                || !(processors >= 0.01)
                || ioBytes < 1
                || diskBytes < 1
                || outputBytes < 1) {
            throw new IllegalArgumentException("the limits of an installation must be positive");
        }
    }
}
