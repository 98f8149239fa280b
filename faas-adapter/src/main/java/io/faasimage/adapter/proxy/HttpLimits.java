package io.faasimage.adapter.proxy;

import io.netty.handler.codec.http.HttpDecoderConfig;

/** Limits of a message's head, in bytes, and the size of the pieces in which bodies are forwarded. */
final class HttpLimits {
    static final int INITIAL_LINE = 64 * 1024;
    static final int HEAD = 256 * 1024;
    private static final int PIECE = 64 * 1024;

    private HttpLimits() {}

    static HttpDecoderConfig decoder() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(INITIAL_LINE)
                .setMaxHeaderSize(HEAD)
                .setMaxChunkSize(PIECE);
    }
}
