package io.faasimage.adapter.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: its requests go to the provider one after the other. Confined to its event loop.
 *
 * <p>Implementation notes. Nothing is read by itself: a side is read when the other one has room. While an answer is
 * awaited the client is still read, so that its disconnection is noticed and ends the exchange at the provider. A next
 * request that it sends already waits in {@link #waiting}, which one read fills at most, and reading stops.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the channel, and handlers see that.
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final ProxyLoop loop;
    private final HttpRequestDecoder decoder = new HttpRequestDecoder(HttpLimits.decoder());
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final Queue<Object> waiting = new ArrayDeque<>();
    private @Nullable Exchange exchange;
    /** Answered for good: further input is dropped. */
    private boolean closing;

    private int silentSeconds;

    ClientConnection(Channel channel, ProxyLoop loop) {
        this.channel = channel;
        this.loop = loop;
        channel.pipeline().addLast(decoder, encoder, this);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        loop.add(this);
        if (loop.counts.clientOpened() > loop.config.maxClients()) {
            refuse(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "faasimage-adapter serves " + loop.config.maxClients() + " connections already");
            return;
        }
        channel.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        silentSeconds = 0;
        waiting.add(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        drain();
    }

    /** Passes on waiting messages, as far as the exchange under way allows, and continues to read when none is left. */
    private void drain() {
        while (!waiting.isEmpty() && passOn(waiting.peek())) {
            waiting.remove();
        }
        @Nullable ProviderConnection provider = exchange == null ? null : exchange.provider;
        if (provider != null) {
            provider.channel.flush();
        }
        if (waiting.isEmpty() && (provider == null || provider.channel.isWritable())) {
            channel.read();
        }
    }

    /** False when the message must wait. */
    private boolean passOn(Object message) {
        @Nullable Exchange current = exchange;
        if (closing) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpRequest request) {
            if (current != null) {
                return false;
            }
            begin(request);
        } else if (current == null) {
            ReferenceCountUtil.release(message);
        } else if (current.provider == null) {
            return false;
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            // A body that cannot be read: the provider must not take it for a whole one.
            ReferenceCountUtil.release(message);
            abandon(current);
            refuse(HttpResponseStatus.BAD_REQUEST, "the request's body is malformed");
        } else {
            send(current, current.provider, message);
        }
        return true;
    }

    private void begin(HttpRequest request) {
        DecoderResult decoded = request.decoderResult();
        if (decoded.isFailure()) {
            refuse(
                    malformed(decoded.cause()),
                    "the request cannot be read: " + decoded.cause().getMessage());
            return;
        }
        if (request.method().equals(HttpMethod.CONNECT)) {
            refuse(HttpResponseStatus.METHOD_NOT_ALLOWED, "405 method not allowed");
            return;
        }
        Exchange next = exchange(request);
        exchange = next;
        loop.counts.exchangeBegun();
        encoder.answersHead(next.head);
        loop.acquire(this).ifPresent(provider -> attach(next, provider));
    }

    private Exchange exchange(HttpRequest request) {
        @Nullable String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        @Nullable
        ObservedBody observed = loop.observer
                .begin(request.method().name(), request.uri(), authorization)
                .map(ObservedBody::new)
                .orElse(null);
        return new Exchange(request, loop.config.provider(), observed);
    }

    private static HttpResponseStatus malformed(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ -> HttpResponseStatus.REQUEST_URI_TOO_LONG;
            case TooLongHttpHeaderException _ -> HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
            default -> HttpResponseStatus.BAD_REQUEST;
        };
    }

    /** Takes the connection for the exchange; false when nobody waits for it any more. */
    boolean connected(ProviderConnection provider) {
        @Nullable Exchange current = exchange;
        if (current == null || current.provider != null || !channel.isActive()) {
            return false;
        }
        attach(current, provider);
        drain();
        return true;
    }

    private void attach(Exchange current, ProviderConnection provider) {
        current.provider = provider;
        provider.attach(this);
        provider.decoder.answersHead(current.head);
        provider.channel.write(current.request, provider.channel.voidPromise());
        if (current.requestSent) {
            // It was sent on a connection before that turned out to be closed.
            provider.channel.write(LastHttpContent.EMPTY_LAST_CONTENT, provider.channel.voidPromise());
        }
        provider.channel.read();
    }

    private void send(Exchange current, ProviderConnection provider, Object message) {
        if (current.observed != null && message instanceof HttpContent content) {
            current.observed.add(content.content());
        }
        provider.channel.write(message, provider.channel.voidPromise());
        if (message instanceof LastHttpContent) {
            current.requestSent = true;
            if (current.observed != null) {
                current.observed.requested();
            }
        }
    }

    /** Flushes the answer so far; whether the client can take more of it now. */
    boolean takesAnswer() {
        channel.flush();
        return channel.isWritable();
    }

    /** The provider's connection has room again. */
    void providerTakesMore() {
        drain();
    }

    /** A part of the provider's answer, or bytes after HTTP was left. */
    void fromProvider(Object message) {
        silentSeconds = 0;
        @Nullable Exchange current = exchange;
        if (current == null) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            failed(
                    current,
                    "its answer cannot be read: " + part.decoderResult().cause().getMessage());
        } else if (message instanceof HttpResponse response) {
            answerHead(current, response);
        } else {
            channel.write(message, channel.voidPromise());
            if (message instanceof LastHttpContent) {
                answerEnd(current);
            }
        }
    }

    private void answerHead(Exchange current, HttpResponse response) {
        if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            @Nullable String protocol = HopByHop.upgrade(response.headers());
            HopByHop.strip(response.headers());
            current.interim = true;
            if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS) && protocol != null) {
                HopByHop.setUpgrade(response.headers(), protocol);
                current.tunnel = true;
                current.status = response.status().code();
            }
        } else {
            AnswerHead.adapt(response, current);
            current.answering = true;
            current.status = response.status().code();
        }
        channel.write(response, channel.voidPromise());
    }

    private void answerEnd(Exchange current) {
        if (current.interim) {
            current.interim = false;
            if (current.tunnel) {
                leaveHttp(current);
            }
            return;
        }
        @Nullable ProviderConnection provider = current.provider;
        current.provider = null;
        if (provider != null) {
            if (current.requestSent) {
                loop.release(provider);
            } else {
                provider.close();
            }
        }
        end(current);
    }

    private void leaveHttp(Exchange current) {
        channel.flush();
        @Nullable ProviderConnection provider = current.provider;
        if (provider != null) {
            // Decoders last: they pass on at once what they have read of the other protocol.
            channel.pipeline().remove(encoder);
            provider.writeBytes();
            channel.pipeline().remove(decoder);
            provider.readBytes();
        }
    }

    /** The answer is written to its end. */
    private void end(Exchange current) {
        channel.flush();
        over(current);
        if (!current.keepAlive || !current.requestSent) {
            closing = true;
            if (current.requestSent) {
                Lingering.closeWritten(channel);
            } else {
                Lingering.close(channel);
            }
        } else if (!waiting.isEmpty()) {
            channel.eventLoop().execute(this::drain);
        }
    }

    private void over(Exchange current) {
        exchange = null;
        loop.counts.exchangeEnded();
        loop.meters.ended(current.method, current.request.uri(), current.status, System.nanoTime() - current.started);
        if (current.observed != null) {
            current.observed.answered(current.status);
        }
    }

    /** The provider cannot be reached. */
    void notConnected(String reason) {
        if (exchange != null) {
            failed(exchange, reason);
        }
    }

    /** The provider's connection has closed before the answer was complete. */
    void providerClosed(ProviderConnection provider, @Nullable Throwable failure) {
        @Nullable Exchange current = exchange;
        if (current == null || current.provider != provider) {
            return;
        }
        current.provider = null;
        if (provider.wasUsed() && current.mayRepeat()) {
            current.retried = true;
            loop.connect(this);
        } else {
            failed(current, Reasons.of(failure));
        }
    }

    private void failed(Exchange current, String reason) {
        abandon(current);
        if (!current.tunnel) {
            loop.meters.providerFailed(reason);
        }
        if (current.isAnswered()) {
            over(current);
            closing = true;
            Lingering.closeWritten(channel);
            return;
        }
        current.status = HttpResponseStatus.BAD_GATEWAY.code();
        current.keepAlive = false;
        answer(HttpResponseStatus.BAD_GATEWAY, "Can't reach the provider at " + loop.config.provider() + ": " + reason);
        over(current);
    }

    private static void abandon(Exchange current) {
        if (current.provider != null) {
            current.provider.close();
            current.provider = null;
        }
    }

    /** Answers by itself, and for the last time. */
    private void refuse(HttpResponseStatus status, String text) {
        if (exchange != null) {
            exchange.status = status.code();
            over(exchange);
        }
        answer(status, text);
    }

    private void answer(HttpResponseStatus status, String text) {
        closing = true;
        channel.write(ErrorAnswer.last(status, text), channel.voidPromise());
        channel.flush();
        Lingering.close(channel);
    }

    /** Once a second. */
    void tick() {
        silentSeconds++;
        @Nullable Exchange current = exchange;
        if (current == null) {
            if (silentSeconds > ProxyLoop.seconds(loop.config.clientIdle())) {
                channel.close();
            }
        } else if (silentSeconds > ProxyLoop.seconds(loop.config.exchangeIdle())) {
            failed(current, "nothing arrived for " + loop.config.exchangeIdle());
        }
    }

    /** Closes, after the request that is under way if there is one. */
    void closeWhenIdle() {
        if (exchange == null) {
            channel.close();
        } else {
            exchange.keepAlive = false;
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable() && exchange != null && exchange.provider != null) {
            exchange.provider.channel.read();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        loop.remove(this);
        loop.counts.clientClosed();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        @Nullable Exchange current = exchange;
        if (current != null) {
            abandon(current);
            over(current);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        channel.close();
    }
}
