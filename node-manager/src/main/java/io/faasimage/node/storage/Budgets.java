package io.faasimage.node.storage;

import java.time.Duration;

/**
 * How much of the disks may be used, and by what.
 *
 * @param capacityBytes most bytes of objects in the capacity tier; no limit when 0
 * @param reserveBytes free bytes that are kept on its file system
 * @param oftenStarts starts within {@code often} that bring a plan's start-up set to the fast tier
 * @param often time in which starts count
 * @param promotionBytes most bytes moved up in one pass
 * @param pass time from one look to the next
 */
public record Budgets(
        long capacityBytes, long reserveBytes, int oftenStarts, Duration often, long promotionBytes, Duration pass) {
    /** Checks that nothing is negative. */
    public Budgets {
        if (capacityBytes < 0 || reserveBytes < 0 || promotionBytes < 0 || oftenStarts < 1) {
            throw new IllegalArgumentException("budgets must not be negative");
        }
    }

    /**
     * The usual ones: a reserve of 512 MB or a twentieth of the disk, whichever is less; two starts in an hour are often.
     *
     * @param capacityBytes see there
     * @param diskBytes size of the file system of the capacity tier
     */
    public static Budgets of(long capacityBytes, long diskBytes) {
        return new Budgets(
                capacityBytes,
                Math.min(512_000_000, diskBytes / 20),
                2,
                Duration.ofHours(1),
                256_000_000,
                Duration.ofSeconds(5));
    }
}
