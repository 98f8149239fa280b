package io.faasimage.adapter.proxy;

import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;

/** A decoder of the provider's responses; the answer to a HEAD has no body, nor has an interim answer. */
final class ResponseDecoder extends HttpResponseDecoder {
    private boolean head;

    ResponseDecoder() {
        super(HttpLimits.decoder());
    }

    /** Whether the coming responses answer a HEAD. */
    void answersHead(boolean answersHead) {
        this.head = answersHead;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        boolean interim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        return head || interim || super.isContentAlwaysEmpty(message);
    }
}
