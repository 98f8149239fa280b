package io.faasimage.store;

/**
 * The outcome of verifying objects after an unclean shutdown.
 *
 * @param whole objects that are visible again
 * @param damaged objects that were dropped
 * @param unread objects that could not be opened, and stay hidden
 */
public record Verified(long whole, long damaged, long unread) {
    static final Verified NONE = new Verified(0, 0, 0);

    Verified plus(Verified other) {
        return new Verified(whole + other.whole, damaged + other.damaged, unread + other.unread);
    }
}
