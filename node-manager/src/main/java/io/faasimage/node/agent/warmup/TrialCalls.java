package io.faasimage.node.agent.warmup;

import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsGrpc.SnapshotsBlockingStub;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ListSnapshotsRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.MountsRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.containerd.snapshot.SnapshotterConfig;
import io.faasimage.node.containerd.snapshot.SnapshotterServer;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.starts.trace.StartTracing;
import io.grpc.ManagedChannel;
import io.grpc.Status;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the calls that containerd makes for a planned image, on a snapshotter of their own. */
final class TrialCalls implements AutoCloseable {
    private static final String CHAIN_LABEL = "containerd.io/snapshot.ref";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final SnapshotterServer server;
    private final ManagedChannel channel;

    /**
     * Serves a snapshotter below {@code directory}.
     *
     * @param plans without mounts: no client mounts the prepared snapshots
     * @throws IOException when the socket's path is too long, or cannot be served
     */
    TrialCalls(Path directory, LazyImages plans, StartEvents starts) throws IOException {
        SnapshotterConfig config;
        try {
            config = SnapshotterConfig.of(directory, directory.resolve("s"));
        } catch (IllegalArgumentException e) {
            throw new IOException("no trial calls: " + e.getMessage(), e);
        }
        server = new SnapshotterServer(config, plans, StartTracing.NONE, starts);
        channel = NettyChannelBuilder.forAddress(
                        UnixDomainSocketAddress.of(config.sockets().getFirst()))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            server.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Requests the layers of an image, makes a container of it, and removes all again.
     *
     * @param chains of the layers, bottom first
     * @throws IOException when a call fails, or a layer does not count as planned
     */
    void start(Digest image, List<ChainId> chains) throws IOException {
        try {
            List<String> layers = new ArrayList<>();
            for (ChainId chain : chains) {
                layers.add(claim(image, chain, layers.isEmpty() ? "" : layers.getLast()));
            }
            String key = "trial/1/container";
            calls().prepare(PrepareSnapshotRequest.newBuilder()
                    .setKey(key)
                    .setParent(layers.getLast())
                    .build());
            calls().mounts(MountsRequest.newBuilder().setKey(key).build());
            remove(key);
            layers.reversed().forEach(this::remove);
        } catch (StatusRuntimeException e) {
            throw new IOException("a trial call failed: " + e.getStatus(), e);
        }
    }

    /** The name of the snapshot that stands for the layer, looked up as containerd does. */
    private String claim(Digest image, ChainId chain, String parent) throws IOException {
        String key = "extract-1 " + chain;
        PrepareSnapshotRequest request = PrepareSnapshotRequest.newBuilder()
                .setKey("trial/1/" + key)
                .setParent(parent)
                .putLabels(CHAIN_LABEL, chain.toString())
                .putLabels(PullProof.LABEL, PullProof.of(image, PullProof.Purpose.START, key))
                .build();
        try {
            calls().prepare(request);
            throw new IOException("layer " + chain + " was not taken for planned");
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
                throw e;
            }
        }
        ListSnapshotsRequest like = ListSnapshotsRequest.newBuilder()
                .addFilters("labels.\"" + CHAIN_LABEL + "\"==" + chain)
                .build();
        List<String> names = new ArrayList<>();
        calls().list(like).forEachRemaining(answer -> answer.getInfoList().forEach(info -> names.add(info.getName())));
        if (names.size() != 1) {
            throw new IOException("layer " + chain + " has the snapshots " + names);
        }
        return names.getFirst();
    }

    private void remove(String key) {
        calls().remove(RemoveSnapshotRequest.newBuilder().setKey(key).build());
    }

    private SnapshotsBlockingStub calls() {
        return SnapshotsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .withWaitForReady();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.close();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
