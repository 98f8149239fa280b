package io.faasimage.node.snapshot;

import io.faasimage.node.plan.PlannedChains;
import io.faasimage.node.trace.StartTracing;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves the snapshotter to containerd on a unix socket. {@link #start} and {@link #close} are called by one thread. */
public final class SnapshotterServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SnapshotterServer.class.getName());

    private static final Duration FIRST_CALL_LIMIT = Duration.ofSeconds(30);

    private final SnapshotterConfig config;
    private final PlannedChains plannedChains;
    private final StartTracing tracing;
    private @Nullable Running running;

    private record Running(
            Snapshotter snapshotter,
            Server server,
            EventLoopGroup acceptor,
            EventLoopGroup workers,
            ExecutorService calls) {}

    /** A server that is not started yet; nothing on the disk is touched. */
    public SnapshotterServer(SnapshotterConfig config, PlannedChains plannedChains, StartTracing tracing) {
        this.config = config;
        this.plannedChains = plannedChains;
        this.tracing = tracing;
    }

    /**
     * Reads the state, clears what a crash left behind, and begins to serve.
     *
     * @throws IOException when the state cannot be read, or the socket is served by another process
     */
    public void start() throws IOException {
        if (running != null) {
            throw new IllegalStateException("already started");
        }
        Files.createDirectories(config.root());
        Files.createDirectories(Objects.requireNonNull(config.socket().getParent()));
        Snapshotter snapshotter = new Snapshotter(config.root(), plannedChains, tracing, Clock.systemUTC());
        try {
            clearSocket(config.socket());
            clearSocket(config.unreadySocket());
            running = serve(snapshotter);
        } catch (IOException | RuntimeException e) {
            snapshotter.close();
            throw e;
        }
        LOG.log(Level.INFO, "serving snapshots of {0} on {1}", config.root(), config.socket());
    }

    private Running serve(Snapshotter snapshotter) throws IOException {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup workers = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
        Server server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(config.unreadySocket()))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(acceptor)
                .workerEventLoopGroup(workers)
                .withChildOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .executor(calls)
                .maxConcurrentCallsPerConnection(config.maxConcurrentCalls())
                .addService(new SnapshotService(snapshotter))
                .build();
        Running started = new Running(snapshotter, server, acceptor, workers, calls);
        try {
            server.start();
            Files.setPosixFilePermissions(config.unreadySocket(), PosixFilePermissions.fromString("rw-------"));
            FirstCall.make(config.unreadySocket(), workers, FIRST_CALL_LIMIT);
            Files.move(config.unreadySocket(), config.socket(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            stop(started);
            throw e;
        }
        return started;
    }

    /** Ends the running calls (waiting at most as long as configured) and closes the state. */
    @Override
    public void close() {
        Running stopped = running;
        running = null;
        if (stopped == null) {
            return;
        }
        stop(stopped);
        stopped.snapshotter().close();
    }

    private void stop(Running stopped) {
        try {
            Files.deleteIfExists(config.socket());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not remove " + config.socket(), e);
        }
        try {
            stopped.server().shutdown();
            if (!stopped.server().awaitTermination(config.shutdownWait().toMillis(), TimeUnit.MILLISECONDS)) {
                stopped.server().shutdownNow();
            }
        } catch (InterruptedException e) {
            stopped.server().shutdownNow();
            Thread.currentThread().interrupt();
        }
        stopped.calls().shutdownNow();
        var _ = stopped.acceptor().shutdownGracefully(0, 1, TimeUnit.SECONDS);
        var _ = stopped.workers().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Removes the socket that a dead server left; refuses when somebody answers on it. */
    private static void clearSocket(Path socket) throws IOException {
        if (!Files.exists(socket)) {
            return;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            Files.deleteIfExists(socket);
            return;
        }
        throw new IOException(
                "another process serves " + socket + "; stop it, or choose another run directory with --run");
    }
}
