package io.faasimage.node.plans.storage;

import java.time.Duration;

/**
 * Limits on the use of the disks.
 *
 * @param storeBytes most bytes of objects; no limit when 0
 * @param reserveBytes free bytes that are kept on the file system of the store
 * @param leastBytes down to where the store shrinks for the sake of the reserve: other programs may fill the disk all
 *     the same
 * @param pass time from one look to the next
 * @param unusedHours how long an unused plan stays whose image containerd does not have
 */
public record Budgets(long storeBytes, long reserveBytes, long leastBytes, Duration pass, long unusedHours) {
    private static final long MOST_LEAST_BYTES = 10_000_000_000L;
    private static final int LEAST_PART = 10;
    private static final int PERCENT = 100;
    private static final int DAY = 24;

    /** Checks that nothing is negative. */
    public Budgets {
        if (storeBytes < 0 || reserveBytes < 0 || leastBytes < 0) {
            throw new IllegalArgumentException("budgets must not be negative");
        }
    }

    /**
     * An operator's choices.
     *
     * @param storeBytes most bytes of objects; no limit when 0
     * @param reservePercent part of its disk that is kept free
     * @param leastBytes down to where the store shrinks for that; a tenth of the disk or 10 GB, whichever is less, when
     *     0
     * @param planDays how long an unused plan stays whose image containerd does not have
     */
    public record Chosen(long storeBytes, int reservePercent, long leastBytes, int planDays) {
        /** Kubelet collects images when less than 15 % are free: this begins before, or they would go for nothing. */
        public static final Chosen USUAL = new Chosen(0, 20, 0, 14);
    }

    /**
     * The budgets of one disk.
     *
     * @param diskBytes size of its file system
     */
    public static Budgets of(Chosen chosen, long diskBytes) {
        return new Budgets(
                chosen.storeBytes(),
                diskBytes / PERCENT * chosen.reservePercent(),
                chosen.leastBytes() > 0 ? chosen.leastBytes() : Math.min(MOST_LEAST_BYTES, diskBytes / LEAST_PART),
                Duration.ofSeconds(5),
                (long) DAY * chosen.planDays());
    }
}
