package io.faasimage.node.containerd.image;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The connection to containerd's gRPC socket; made at the first call. After a failed connection gRPC pauses, for up to
 * two minutes, and fails every call meanwhile. A call to a containerd that has been started again must not, so each
 * call ends such a pause. Thread-safe.
 */
public final class ContainerdChannel implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 16 << 20;
    /** How long a call waits for a new connection; a Unix socket without a server refuses at once. */
    private static final Duration RECONNECTION = Duration.ofMillis(500);

    private final Path socket;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final ManagedChannel connection;
    private final Channel channel;

    /** A connection to containerd at {@code socket}. */
    public ContainerdChannel(Path socket) {
        this.socket = socket;
        this.connection = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .executor(calls)
                .overrideAuthority("localhost")
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .usePlaintext()
                .build();
        this.channel = ClientInterceptors.intercept(connection, new Reconnecting());
    }

    /** For blocking calls: one after a failed connection waits until another has been tried. */
    public Channel channel() {
        return channel;
    }

    private final class Reconnecting implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            // An attempt of earlier may have begun before containerd listened, and fail this call with those before it.
            awaitChange(ConnectivityState.CONNECTING);
            if (connection.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                connection.resetConnectBackoff();
                awaitChange(ConnectivityState.TRANSIENT_FAILURE);
            }
            return next.newCall(method, options);
        }
    }

    /** Waits until the connection is in another state than this; a failed one stays so until a new one is made. */
    private void awaitChange(ConnectivityState state) {
        CountDownLatch changed = new CountDownLatch(1);
        connection.notifyWhenStateChanged(state, changed::countDown);
        try {
            var _ = changed.await(RECONNECTION.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where containerd listens. */
    public Path socket() {
        return socket;
    }

    @Override
    public void close() {
        connection.shutdownNow();
        calls.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
