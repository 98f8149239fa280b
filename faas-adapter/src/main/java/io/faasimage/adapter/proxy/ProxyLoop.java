package io.faasimage.adapter.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop: its client connections, and the connections to the provider that are kept for the
 * next exchange. Ticks once a second and closes connections that have been silent too long. Confined to that loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the channel, and handlers see that.
final class ProxyLoop {
    /** Shorter than any provider's own limit, so that a request seldom meets a connection that is being closed. */
    private static final int KEPT_TICKS = 5;

    private static final int MAX_KEPT = 256;

    final ProxyConfig config;
    final ProxyCounts counts;
    final ExchangeObserver observer;
    final ExchangeMeters meters;
    private final Bootstrap bootstrap;
    private final Deque<ProviderConnection> kept = new ArrayDeque<>();
    private final Set<ClientConnection> clients = new HashSet<>();
    private long ticks;

    ProxyLoop(
            EventLoop loop,
            Class<? extends Channel> channels,
            ProxyConfig config,
            ProxyCounts counts,
            ExchangeObserver observer,
            ExchangeMeters meters) {
        this.config = config;
        this.counts = counts;
        this.observer = observer;
        this.meters = meters;
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(channels)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(config.connectTimeout().toMillis()))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        // The handlers are added when it is connected.
                    }
                });
        loop.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    void add(ClientConnection client) {
        clients.add(client);
    }

    void remove(ClientConnection client) {
        clients.remove(client);
    }

    /** Closes the clients that wait for nothing; the others end with their exchange. */
    void closeIdle() {
        List.copyOf(clients).forEach(ClientConnection::closeWhenIdle);
    }

    /**
     * A kept connection for {@code client}, if there is one; else it is notified when a new one is there, or failed.
     */
    Optional<ProviderConnection> acquire(ClientConnection client) {
        for (ProviderConnection next = kept.pollLast(); next != null; next = kept.pollLast()) {
            if (next.channel.isActive()) {
                return Optional.of(next);
            }
        }
        connect(client);
        return Optional.empty();
    }

    /** Connects anew for {@code client}, and notifies it. */
    void connect(ClientConnection client) {
        Optional<InetSocketAddress> address = config.provider().now();
        if (address.isEmpty()) {
            client.notConnected("its name could not be resolved");
            return;
        }
        bootstrap.connect(address.get()).addListener((ChannelFuture connected) -> {
            if (connected.isSuccess()) {
                ProviderConnection provider = new ProviderConnection(connected.channel());
                if (!client.connected(provider)) {
                    release(provider);
                }
            } else {
                client.notConnected(Reasons.of(connected.cause()));
            }
        });
    }

    /** Takes back a connection whose exchange is over. */
    void release(ProviderConnection provider) {
        if (provider.detach() && kept.size() < MAX_KEPT) {
            provider.idleSince = ticks;
            kept.addLast(provider);
            // Notices a close by the provider.
            provider.channel.read();
        } else {
            provider.channel.close();
        }
    }

    private void tick() {
        ticks++;
        while (!kept.isEmpty() && ticks - kept.peekFirst().idleSince > KEPT_TICKS) {
            kept.removeFirst().channel.close();
        }
        List.copyOf(clients).forEach(ClientConnection::tick);
    }

    static int seconds(Duration limit) {
        return Math.clamp(limit.toSeconds(), 1, Integer.MAX_VALUE);
    }
}
