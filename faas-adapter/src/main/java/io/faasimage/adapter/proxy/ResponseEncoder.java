package io.faasimage.adapter.proxy;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/** An encoder of responses to a client; the answer to a HEAD has the headers of a body, but no body. */
final class ResponseEncoder extends HttpResponseEncoder {
    private boolean head;

    /** Whether the coming responses answer a HEAD. */
    void answersHead(boolean answersHead) {
        this.head = answersHead;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
        return head || super.isContentAlwaysEmpty(response);
    }
}
