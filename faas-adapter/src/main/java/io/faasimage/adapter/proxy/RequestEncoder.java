package io.faasimage.adapter.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import java.nio.charset.StandardCharsets;

/** An encoder of requests to the provider that keeps path and query byte for byte. */
final class RequestEncoder extends HttpRequestEncoder {
    private static final int CR_LF = '\r' << 8 | '\n';

    /** The decoder makes one character of each byte; so does this, the other way round. */
    @Override
    protected void encodeInitialLine(ByteBuf out, HttpRequest request) {
        ByteBufUtil.copy(request.method().asciiName(), out);
        out.writeByte(' ');
        out.writeCharSequence(request.uri(), StandardCharsets.ISO_8859_1);
        out.writeByte(' ');
        out.writeCharSequence(request.protocolVersion().text(), StandardCharsets.US_ASCII);
        out.writeShort(CR_LF);
    }
}
