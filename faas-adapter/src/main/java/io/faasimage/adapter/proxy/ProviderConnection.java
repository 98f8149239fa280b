package io.faasimage.adapter.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the provider: serves one client's exchange at a time, or is kept for the next. Confined to its event
 * loop, which is that of the clients it serves.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the channel, and handlers see that.
final class ProviderConnection extends ChannelInboundHandlerAdapter {
    final Channel channel;
    final ResponseDecoder decoder = new ResponseDecoder();
    final RequestEncoder encoder = new RequestEncoder();
    private @Nullable ClientConnection client;
    private boolean keepAlive = true;
    private boolean used;

    /** The time at which it became idle, in the loop's ticks. */
    long idleSince;

    ProviderConnection(Channel channel) {
        this.channel = channel;
        channel.pipeline().addLast(encoder, decoder, this);
    }

    /** From now on it serves {@code next}. */
    void attach(ClientConnection next) {
        client = next;
    }

    /** Its exchange is over; whether it can serve another one. */
    boolean detach() {
        client = null;
        used = true;
        return keepAlive && channel.isActive();
    }

    /** Whether it served an exchange before, so that the provider may have closed it meanwhile. */
    boolean wasUsed() {
        return used;
    }

    /** Closes it without notifying the exchange that it serves. */
    void close() {
        client = null;
        channel.close();
    }

    /** Leaves HTTP: from now on bytes are sent as they come. */
    void writeBytes() {
        keepAlive = false;
        channel.pipeline().remove(encoder);
    }

    /** Leaves HTTP: from now on bytes are passed on as they come. */
    void readBytes() {
        channel.pipeline().remove(decoder);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        @Nullable ClientConnection served = client;
        if (served == null) {
            // Unrequested: the connection is out of step.
            ReferenceCountUtil.release(message);
            channel.close();
            return;
        }
        if (message instanceof HttpResponse response) {
            keepAlive = HttpUtil.isKeepAlive(response);
        }
        served.fromProvider(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        @Nullable ClientConnection served = client;
        if (served == null || served.takesAnswer()) {
            channel.read();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        @Nullable ClientConnection served = client;
        if (served != null && channel.isWritable()) {
            served.providerTakesMore();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        @Nullable ClientConnection served = client;
        client = null;
        if (served != null) {
            served.providerClosed(this, null);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        @Nullable ClientConnection served = client;
        // First of all: closing would make a whole answer of one that ends with its connection.
        client = null;
        if (served != null) {
            served.providerClosed(this, cause);
        }
        channel.close();
    }
}
