package io.faasimage.registry.platform.audit;

/**
 * The author of a change.
 *
 * @param id of the token that was presented, or a word for who has none
 * @param name name of the token in messages; no secret
 * @param address from which the request came; empty without a request
 * @param request ID of the request; empty without one
 */
public record Actor(String id, String name, String address, String request) {
    /** The service itself, for example in a job. */
    public static final Actor SERVICE = new Actor("service-itself", "the service itself", "", "");

    private static final ScopedValue<Actor> CURRENT = ScopedValue.newInstance();

    /** A caller that presented no token, or one that is not valid. */
    public static Actor unknown(String address, String request) {
        return new Actor("unknown", "a caller without a valid token", address, request);
    }

    /** The one for whom the calling thread works. */
    public static Actor current() {
        return CURRENT.isBound() ? CURRENT.get() : SERVICE;
    }

    /** Does {@code work} for this actor. */
    public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }
}
