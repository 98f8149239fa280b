package io.faasimage.adapter.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/** The head of a final answer, adapted to the client's version of HTTP and to whether its connection is kept. */
final class AnswerHead {
    private AnswerHead() {}

    /** Adapts {@code answer} to the client; may decide that its connection is not kept. */
    static void adapt(HttpResponse answer, Exchange exchange) {
        HttpHeaders headers = answer.headers();
        HopByHop.strip(headers);
        boolean chunked = HttpUtil.isTransferEncodingChunked(answer);
        if (exchange.http10) {
            answer.setProtocolVersion(HttpVersion.HTTP_1_0);
            headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
            exchange.keepAlive &= headers.contains(HttpHeaderNames.CONTENT_LENGTH) || isEmpty(answer, exchange);
        } else {
            answer.setProtocolVersion(HttpVersion.HTTP_1_1);
            if (!chunked && !headers.contains(HttpHeaderNames.CONTENT_LENGTH) && !isEmpty(answer, exchange)) {
                // The provider ends this body by closing; chunks let the client detect one that was cut off.
                headers.set("Transfer-Encoding", HttpHeaderValues.CHUNKED);
            }
        }
        if (!exchange.keepAlive) {
            headers.set("Connection", HttpHeaderValues.CLOSE);
        } else if (exchange.http10) {
            headers.set("Connection", HttpHeaderValues.KEEP_ALIVE);
        }
    }

    private static boolean isEmpty(HttpResponse answer, Exchange exchange) {
        int status = answer.status().code();
        return exchange.head || status == 204 || status == 304;
    }
}
