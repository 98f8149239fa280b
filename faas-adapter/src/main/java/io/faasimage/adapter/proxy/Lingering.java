package io.faasimage.adapter.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * A lingering close of a connection, so that the answer arrives: a client that is still sending would see a reset
 * instead if the whole connection were closed with unread bytes (RFC 9112, section 9.6).
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the channel, and handlers see that.
final class Lingering {
    private static final long LIMIT_MILLIS = 1000;

    private Lingering() {}

    /** Ends the sending side, after what was written; the rest when the client closes, a second later at the latest. */
    static void close(Channel channel) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
            if (channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
            }
            channel.eventLoop().schedule(() -> channel.close(), LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        });
        channel.read();
    }

    /** Closes it after the written bytes have been sent. */
    static void closeWritten(Channel channel) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}
