package io.faasimage.adapter.proxy;

import io.faasimage.api.rest.RequestId;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request and the state of its answer. Confined to one event loop. */
final class Exchange {
    private static final Set<HttpMethod> IDEMPOTENT =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.DELETE, HttpMethod.OPTIONS);

    final HttpRequest request;
    final String method;
    final boolean http10;
    final boolean head;
    final long started = System.nanoTime();
    private final boolean bodyless;
    final @Nullable ObservedBody observed;

    @Nullable
    ProviderConnection provider;
    /** Whether the client's connection may serve another request. */
    boolean keepAlive;
    /** The request has been passed on to its end. */
    boolean requestSent;
    /** The head of the final answer has been passed on. */
    boolean answering;
    /** An interim answer is being passed on. */
    boolean interim;
    /** Both sides have left HTTP. */
    boolean tunnel;

    boolean retried;
    int status;

    /** Takes {@code request} as the client sent it and adapts it to the provider. */
    Exchange(HttpRequest request, ProviderAddress provider, @Nullable ObservedBody observed) {
        this.request = request;
        this.observed = observed;
        method = request.method().name();
        http10 = !request.protocolVersion().isKeepAliveDefault();
        head = request.method().equals(HttpMethod.HEAD);
        keepAlive = HttpUtil.isKeepAlive(request);
        bodyless = !HttpUtil.isTransferEncodingChunked(request) && HttpUtil.getContentLength(request, 0L) == 0;
        @Nullable String upgrade = HopByHop.upgrade(request.headers());
        HopByHop.strip(request.headers());
        if (upgrade != null) {
            HopByHop.setUpgrade(request.headers(), upgrade);
        }
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        name(request.headers());
        if (http10 && !request.headers().contains(HttpHeaderNames.HOST)) {
            request.headers().set(HttpHeaderNames.HOST, provider.toString());
        }
    }

    /** A name that the caller gave stays as it was written. */
    private static void name(HttpHeaders headers) {
        if (!headers.contains(RequestId.HEADER)) {
            headers.set(RequestId.HEADER, RequestId.create());
        }
    }

    /**
     * Whether the same request may be sent once more after a kept connection turned out to be closed (RFC 9110, 9.2.2).
     */
    boolean mayRepeat() {
        return !retried && !answering && requestSent && bodyless && IDEMPOTENT.contains(request.method());
    }

    /** The final answer has begun or the connection has left HTTP: nothing else can be answered any more. */
    boolean isAnswered() {
        return answering || tunnel;
    }
}
