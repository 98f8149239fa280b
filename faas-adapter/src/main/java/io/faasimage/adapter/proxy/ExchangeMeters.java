package io.faasimage.adapter.proxy;

/** Counters of exchanges. Called on event loops by several threads: must not block. */
public interface ExchangeMeters {
    /**
     * Counts an exchange that has ended.
     *
     * @param method such as {@code POST}
     * @param uri path and query, undecoded
     * @param status that the client was answered; 0 when it was not
     * @param nanos from the request's head to the end of the answer
     */
    void ended(String method, String uri, int status, long nanos);

    /** Counts a provider that could not be reached or broke off; {@code reason} is for people. */
    void providerFailed(String reason);
}
