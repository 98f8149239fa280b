package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.starts.trace.StartTracing;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC server of the snapshotter, on unix sockets, one for each containerd. {@link #start} and {@link #close} are
 * called by one thread.
 */
public final class SnapshotterServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SnapshotterServer.class.getName());

    private static final Duration FIRST_CALL_LIMIT = Duration.ofSeconds(30);
    private static final long IDLE_THREAD_SECONDS = 10;

    private final SnapshotterConfig config;
    private final LazyImages lazyImages;
    private final StartTracing tracing;
    private final StartEvents starts;
    private volatile @Nullable Running running;

    private record Running(
            Snapshotter snapshotter,
            List<Server> servers,
            EventLoopGroup acceptor,
            EventLoopGroup workers,
            ExecutorService calls) {}

    /** A server that is not started yet; nothing on the disk is touched. */
    public SnapshotterServer(SnapshotterConfig config, LazyImages lazyImages, StartTracing tracing) {
        this(config, lazyImages, tracing, StartEvents.NONE);
    }

    /** A server whose {@code starts} receives the events of container starts. */
    public SnapshotterServer(
            SnapshotterConfig config, LazyImages lazyImages, StartTracing tracing, StartEvents starts) {
        this.starts = starts;
        this.config = config;
        this.lazyImages = lazyImages;
        this.tracing = tracing;
    }

    /**
     * Reads the state, clears the remains of a crash, and begins to serve.
     *
     * @throws IOException when the state cannot be read, or the socket is served by another process
     */
    public void start() throws IOException {
        if (running != null) {
            throw new IllegalStateException("already started");
        }
        Files.createDirectories(config.root());
        for (Path socket : config.sockets()) {
            Files.createDirectories(Objects.requireNonNull(socket.getParent()));
        }
        Snapshotter snapshotter =
                new Snapshotter(config.root(), lazyImages, tracing, starts, config.settings(), Clock.systemUTC());
        try {
            for (Path socket : config.sockets()) {
                clearSocket(socket);
                clearSocket(SnapshotterConfig.unready(socket));
            }
            running = serve(snapshotter);
        } catch (IOException | RuntimeException e) {
            snapshotter.close();
            throw e;
        }
    }

    /** The planned chains that containerd has snapshots of; empty while this does not serve. */
    public Optional<Set<ChainId>> claimedChains() {
        return Optional.ofNullable(running).map(now -> now.snapshotter().claimedChains());
    }

    /** The gate died, and another one serves from now on. Called by any thread. */
    public void gateReplaced() throws IOException {
        Running now = running;
        if (now != null) {
            now.snapshotter().gateReplaced();
        }
    }

    private Running serve(Snapshotter snapshotter) throws IOException {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup workers = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ExecutorService calls = callThreads();
        Running started = new Running(snapshotter, new ArrayList<>(), acceptor, workers, calls);
        try {
            for (int number = 1; number <= config.sockets().size(); number++) {
                Path socket = config.sockets().get(number - 1);
                Path unready = SnapshotterConfig.unready(socket);
                Server server = server(unready, started, Scope.ofSocket(number));
                started.servers().add(server);
                server.start();
                Files.setPosixFilePermissions(unready, PosixFilePermissions.fromString("rw-------"));
                FirstCall.make(unready, workers, FIRST_CALL_LIMIT);
                Files.move(unready, socket, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException | RuntimeException e) {
            stop(started);
            throw e;
        }
        return started;
    }

    /** Platform threads, as mount(2) is native: waiting for a gate, it would keep every virtual thread from running. */
    private static ExecutorService callThreads() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("snapshots-", 0).daemon().factory());
    }

    private Server server(Path socket, Running parts, Scope scope) {
        return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(parts.acceptor())
                .workerEventLoopGroup(parts.workers())
                .withChildOption(ChannelOption.SO_KEEPALIVE, null) // unset: a unix socket has none
                .executor(parts.calls())
                .maxConcurrentCallsPerConnection(config.maxConcurrentCalls())
                .addService(new SnapshotService(parts.snapshotter(), scope))
                .build();
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
        for (Path socket : config.sockets()) {
            try {
                Files.deleteIfExists(socket);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "could not remove " + socket, e);
            }
        }
        stopped.servers().forEach(Server::shutdown);
        long end = System.nanoTime() + config.shutdownWait().toNanos();
        for (Server server : stopped.servers()) {
            try {
                if (!server.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    server.shutdownNow();
                }
            } catch (InterruptedException e) {
                server.shutdownNow();
                Thread.currentThread().interrupt();
            }
        }
        stopped.calls().shutdownNow();
        var _ = stopped.acceptor().shutdownGracefully(0, 1, TimeUnit.SECONDS);
        var _ = stopped.workers().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Removes the socket that a dead server left; refuses when a server answers on it. */
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
