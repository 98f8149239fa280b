package io.faasimage.adapter.proxy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An observer of exchanges. Called on event loops by several threads: must neither block nor throw. */
public interface ExchangeObserver {
    /**
     * A request begins.
     *
     * @param method such as {@code POST}
     * @param uri path and query as they came, undecoded
     * @param authorization of the request, as it came; null without one
     * @return the observation of the rest; empty when that is of no interest
     */
    Optional<Observation> begin(String method, String uri, @Nullable String authorization);

    /** An observation of one exchange whose request body is of interest. */
    interface Observation {
        /**
         * The request is complete and on its way to the provider; not called when its body is longer than the proxy
         * copies.
         */
        void requested(byte[] body);

        /** The provider's answer is on its way to the client. */
        void answered(int status);
    }
}
