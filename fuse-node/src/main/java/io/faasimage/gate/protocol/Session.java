package io.faasimage.gate.protocol;

/**
 * The parameters that kernel and gate negotiated with the first request.
 *
 * @param minor version of the protocol
 * @param readAhead bytes, as the kernel has them
 * @param flags the features that both use
 */
public record Session(int minor, int readAhead, long flags) {
    static final int MAJOR = 7;
    /** The newest version that this package knows, of Linux 6.9. */
    private static final int NEWEST_MINOR = 40;
    /** Of Linux 4.2; the structures have had their sizes since. */
    private static final int OLDEST_MINOR = 23;
    /** Look-ups in one directory do not wait for one another. */
    private static final long PARALLEL_DIROPS = 1L << 18;

    static final long INIT_EXT = 1L << 30;
    /** Requests that were read and not answered are sent again when that is requested. */
    private static final long HAS_RESEND = 1L << 39;

    private static final long WANTED = PARALLEL_DIROPS | INIT_EXT | HAS_RESEND;

    /** The session of a dead gate; only its successor on a kernel that resends needs it. */
    public static final Session GONE_ON = new Session(NEWEST_MINOR, 0, WANTED);

    /** The parameters to use of those that the kernel offers. */
    public static Session agree(Request.Operation.Start offer) throws ProtocolException {
        if (offer.major() != MAJOR || offer.minor() < OLDEST_MINOR) {
            throw new ProtocolException("the kernel has FUSE " + offer.major() + "." + offer.minor() + ", and " + MAJOR
                    + "." + OLDEST_MINOR + " is the oldest that works");
        }
        return new Session(Math.min(offer.minor(), NEWEST_MINOR), offer.readAhead(), offer.flags() & WANTED);
    }

    /** Whether {@link Reply#resend} works. */
    public boolean resends() {
        return (flags & HAS_RESEND) != 0;
    }
}
