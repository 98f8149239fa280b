package io.faasimage.node.image;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The connection to containerd's gRPC socket; made at the first call. Thread-safe. */
public final class ContainerdChannel implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 16 << 20;

    private final Path socket;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final ManagedChannel channel;

    /** A connection to containerd at {@code socket}. */
    public ContainerdChannel(Path socket) {
        this.socket = socket;
        this.channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .executor(calls)
                .overrideAuthority("localhost")
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .usePlaintext()
                .build();
    }

    /** For calls. */
    public ManagedChannel channel() {
        return channel;
    }

    /** Where containerd listens. */
    public Path socket() {
        return socket;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        calls.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
