package io.faasimage.adapter.proxy;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** Answers of the proxy itself, in the form that providers give their errors: plain text with a newline. */
final class ErrorAnswer {
    private ErrorAnswer() {}

    /** After which the connection is closed. */
    static FullHttpResponse last(HttpResponseStatus status, String text) {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        FullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        answer.headers()
                .set("Content-Type", "text/plain; charset=utf-8")
                .set("X-Content-Type-Options", "nosniff")
                .set("Content-Length", body.length)
                .set("Connection", HttpHeaderValues.CLOSE);
        return answer;
    }
}
