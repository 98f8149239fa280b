package io.faasimage.docker.containerd;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The connection to containerd's gRPC socket in one namespace; made at the first call, and again when it is lost.
 * Thread-safe.
 */
public final class ContainerdChannel implements AutoCloseable {
    private static final Metadata.Key<String> NAMESPACE =
            Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final Path socket;
    private final String namespace;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final ManagedChannel managed;
    private final Channel channel;

    /** A connection to containerd at {@code socket}. */
    public ContainerdChannel(Path socket, String namespace) {
        this.socket = socket;
        this.namespace = namespace;
        this.managed = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .executor(calls)
                .overrideAuthority("localhost")
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .usePlaintext()
                .build();
        Metadata headers = new Metadata();
        headers.put(NAMESPACE, namespace);
        this.channel = ClientInterceptors.intercept(managed, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** One call. */
    interface Rpc<T> {
        T send() throws StatusException;
    }

    Channel channel() {
        return channel;
    }

    /** containerd's namespace. */
    public String namespace() {
        return namespace;
    }

    /** Sends a call whose attempt is told as {@code what} when it fails. */
    <T> T call(String what, Rpc<T> rpc) throws ContainerdException {
        try {
            return rpc.send();
        } catch (StatusException e) {
            throw new ContainerdException(what, e.getStatus(), socket.toString(), e);
        } catch (StatusRuntimeException e) {
            throw new ContainerdException(what, e.getStatus(), socket.toString(), e);
        }
    }

    /** As {@link #call}, but empty when containerd does not find what is asked for. */
    <T> Optional<T> find(String what, Rpc<T> rpc) throws ContainerdException {
        try {
            return Optional.of(call(what, rpc));
        } catch (ContainerdException e) {
            if (e.code() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        managed.shutdownNow();
        calls.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
