package io.faasimage.node.snapshot;

import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsGrpc.SnapshotsBlockingStub;
import containerd.services.snapshots.v1.SnapshotsOuterClass.CommitSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ListSnapshotsRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotRequest;
import io.faasimage.node.plan.PlannedChains;
import io.faasimage.node.trace.StartTracing;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls that containerd makes for an image, made on a snapshotter of their own. For rehearsals. */
public final class TrialCalls {
    private static final int LAYERS = 100;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private TrialCalls() {}

    /**
     * Serves a snapshotter below {@code directory} and prepares, commits, looks at and removes layers through it.
     *
     * @throws IOException when the socket's path is too long, or a call fails
     */
    public static void make(Path directory) throws IOException {
        SnapshotterConfig config;
        try {
            config = SnapshotterConfig.of(directory, directory.resolve("s"));
        } catch (IllegalArgumentException e) {
            throw new IOException("no trial calls: " + e.getMessage(), e);
        }
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        UnixDomainSocketAddress.of(config.sockets().getFirst()))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try (SnapshotterServer server = new SnapshotterServer(config, PlannedChains.none(), StartTracing.none())) {
            server.start();
            for (int i = 0; i < LAYERS; i++) {
                layer(
                        SnapshotsGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                                .withWaitForReady(),
                        "layer-" + i);
            }
        } catch (StatusRuntimeException e) {
            throw new IOException("a trial call failed: " + e.getStatus(), e);
        } finally {
            channel.shutdownNow();
            var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void layer(SnapshotsBlockingStub calls, String name) {
        String key = "extract-" + name;
        calls.prepare(PrepareSnapshotRequest.newBuilder()
                .setKey(key)
                .putLabels("trial", "yes")
                .build());
        calls.commit(
                CommitSnapshotRequest.newBuilder().setName(name).setKey(key).build());
        calls.stat(StatSnapshotRequest.newBuilder().setKey(name).build());
        ListSnapshotsRequest like = ListSnapshotsRequest.newBuilder()
                .addFilters("labels.\"trial\"==yes")
                .build();
        calls.list(like).forEachRemaining(answer -> {});
        calls.remove(RemoveSnapshotRequest.newBuilder().setKey(name).build());
    }
}
