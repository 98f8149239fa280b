package io.faasimage.adapter.proxy;

import io.faasimage.api.span.TraceParent;
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
     * @return takes the rest of the exchange; empty when that is of no interest
     */
    Optional<Observation> begin(String method, String uri, @Nullable String authorization);

    /**
     * A request begins that may be a part of a trace. Asked first; what else is called for the exchange is called for
     * this span.
     *
     * @param method such as {@code POST}
     * @param uri path and query as they came, undecoded
     * @param traceparent of the request, as it came; null without one
     */
    default ExchangeSpan trace(String method, String uri, @Nullable String traceparent) {
        return ExchangeSpan.NONE;
    }

    /** The span of one exchange. */
    interface ExchangeSpan {
        /** Takes no notice. */
        ExchangeSpan NONE = new ExchangeSpan() {};

        /** What the provider is sent as {@code traceparent}; empty to leave that as it came. */
        default Optional<TraceParent> context() {
            return Optional.empty();
        }

        /** The exchange is over; {@code status} is 0 when it was not answered. */
        default void over(int status) {}
    }

    /** Takes one exchange whose request body is of interest. */
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
