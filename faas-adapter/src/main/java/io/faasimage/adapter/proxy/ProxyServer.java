package io.faasimage.adapter.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server that the gateway connects to, which forwards to the provider. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the channel, and handlers see that.
public final class ProxyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int BACKLOG = 1024;
    private static final long RESOLVE_SECONDS = 10;

    private final ProxyConfig config;
    private final ProxyCounts counts = new ProxyCounts();
    private final Map<EventLoop, ProxyLoop> loops = new ConcurrentHashMap<>();
    private final Transport transport = Transport.best();
    private final MultiThreadIoEventLoopGroup group;
    private final ScheduledExecutorService resolver = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("provider-address").factory());
    private final Channel listening;

    /** Listens. */
    public ProxyServer(ProxyConfig config, ExchangeObserver observer, ExchangeMeters meters) throws IOException {
        this.config = config;
        refreshProvider();
        group = new MultiThreadIoEventLoopGroup(config.threads(), transport.handler());
        var _ = resolver.scheduleWithFixedDelay(
                this::refreshProvider, RESOLVE_SECONDS, RESOLVE_SECONDS, TimeUnit.SECONDS);
        try {
            listening = bootstrap(observer, meters)
                    .bind(config.listen())
                    .syncUninterruptibly()
                    .channel();
        } catch (RuntimeException e) {
            resolver.shutdownNow();
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw new IOException("cannot listen on " + config.listen() + ": " + e.getMessage(), e);
        }
        LOG.info("listening on {} for provider {} ({})", listening.localAddress(), config.provider(), transport.name());
    }

    private ServerBootstrap bootstrap(ExchangeObserver observer, ExchangeMeters meters) {
        return new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        ProxyLoop loop = loops.computeIfAbsent(
                                channel.eventLoop(),
                                l -> new ProxyLoop(l, transport.client(), config, counts, observer, meters));
                        var _ = new ClientConnection(channel, loop);
                    }
                });
    }

    private void refreshProvider() {
        try {
            config.provider().refresh();
        } catch (UnknownHostException e) {
            LOG.warn("the provider's name {} cannot be resolved; the last address stays in use", config.provider());
        }
    }

    /** The address at which it listens; the port is the real one when 0 was requested. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** The numbers of open connections and exchanges. */
    public ProxyCounts counts() {
        return counts;
    }

    /** Accepts nothing more, lets exchanges end within the limit, and closes the rest. */
    @Override
    public void close() {
        resolver.shutdownNow();
        listening.close().syncUninterruptibly();
        loops.forEach((loop, clients) -> loop.execute(clients::closeIdle));
        long end = System.nanoTime() + config.drain().toNanos();
        while (counts.exchanges() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
