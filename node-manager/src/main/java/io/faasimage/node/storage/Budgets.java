package io.faasimage.node.storage;

import java.time.Duration;

/**
 * Limits on the use of the disks.
 *
 * @param capacityBytes most bytes of objects in the capacity tier; no limit when 0
 * @param reserveBytes free bytes that are kept on its file system
 * @param leastBytes down to where the store shrinks for the sake of the reserve: other programs may fill the disk all
 *     the same
 * @param oftenStarts starts within {@code often} that bring a plan's prefetch list to the fast tier
 * @param often time in which starts count
 * @param promotionBytes most bytes moved up in one pass
 * @param pass time from one look to the next
 * @param unusedHours how long an unused plan stays whose image containerd does not have
 */
public record Budgets(
        long capacityBytes,
        long reserveBytes,
        long leastBytes,
        int oftenStarts,
        Duration often,
        long promotionBytes,
        Duration pass,
        long unusedHours) {
    private static final long MOST_LEAST_BYTES = 10_000_000_000L;
    private static final int LEAST_PART = 10;
    private static final int PERCENT = 100;
    private static final int DAY = 24;

    /** Checks that nothing is negative. */
    public Budgets {
        if (capacityBytes < 0 || reserveBytes < 0 || leastBytes < 0 || promotionBytes < 0 || oftenStarts < 1) {
            throw new IllegalArgumentException("budgets must not be negative");
        }
    }

    /**
     * An operator's choices.
     *
     * @param capacityBytes most bytes of objects in the capacity tier; no limit when 0
     * @param reservePercent part of its disk that is kept free
     * @param leastBytes down to where the store shrinks for that; a tenth of the disk or 10 GB, whichever is less, when
     *     0
     * @param planDays how long an unused plan stays whose image containerd does not have
     */
    public record Chosen(long capacityBytes, int reservePercent, long leastBytes, int planDays) {
        /** Kubelet collects images when less than 15 % are free: this begins before, or they would go for nothing. */
        public static final Chosen USUAL = new Chosen(0, 20, 0, 14);
    }

    /**
     * The budgets of one disk; two starts in an hour are often.
     *
     * @param diskBytes size of the file system of the capacity tier
     */
    public static Budgets of(Chosen chosen, long diskBytes) {
        return new Budgets(
                chosen.capacityBytes(),
                diskBytes / PERCENT * chosen.reservePercent(),
                chosen.leastBytes() > 0 ? chosen.leastBytes() : Math.min(MOST_LEAST_BYTES, diskBytes / LEAST_PART),
                2,
                Duration.ofHours(1),
                256_000_000,
                Duration.ofSeconds(5),
                (long) DAY * chosen.planDays());
    }
}
