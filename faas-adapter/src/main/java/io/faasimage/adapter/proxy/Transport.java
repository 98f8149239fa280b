package io.faasimage.adapter.proxy;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * The choice between epoll and NIO.
 *
 * @param name for people
 * @param handler of each event loop
 * @param server channels that listen
 * @param client channels that connect
 */
record Transport(
        String name, IoHandlerFactory handler, Class<? extends ServerChannel> server, Class<? extends Channel> client) {
    /**
     * Linux' epoll, with fewer system calls and no garbage; the JDK's selectors on machines that Netty has no library
     * for.
     */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        "epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport(
                        "NIO, because epoll is not available (" + Epoll.unavailabilityCause() + ")",
                        NioIoHandler.newFactory(),
                        NioServerSocketChannel.class,
                        NioSocketChannel.class);
    }
}
