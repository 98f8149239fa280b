package io.faasimage.node.containerd.snapshot;

import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ListSnapshotsRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A server's first call, made by itself. containerd gives a connection one second for the HTTP/2 handshake, which a JVM
 * that has yet to load the classes for it can exceed on a busy machine; and a socket that does not answer is found at
 * once.
 */
final class FirstCall {
    private FirstCall() {}

    /** @throws IOException when the server behind {@code socket} does not answer within {@code limit} */
    static void make(Path socket, EventLoopGroup loop, Duration limit) throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            var answers = SnapshotsGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .withWaitForReady()
                    .list(ListSnapshotsRequest.newBuilder()
                            .addFilters("name==\"\"")
                            .build());
            if (answers.hasNext()) {
                throw new IOException("the server on " + socket + " lists a snapshot without a name");
            }
        } catch (StatusRuntimeException e) {
            throw new IOException("the server on " + socket + " does not answer: " + e.getStatus(), e);
        } finally {
            channel.shutdownNow();
        }
    }
}
