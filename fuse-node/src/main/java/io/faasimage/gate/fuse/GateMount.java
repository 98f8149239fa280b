package io.faasimage.gate.fuse;

import io.faasimage.gate.lookup.Answer;
import io.faasimage.gate.lookup.GatePath;
import io.faasimage.gate.protocol.ProtocolException;
import io.faasimage.gate.protocol.Reply;
import io.faasimage.gate.protocol.Request;
import io.faasimage.gate.protocol.Request.Operation;
import io.faasimage.gate.protocol.Session;
import io.faasimage.linux.Errno;
import io.faasimage.linux.FuseConnection;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The mounted gate. The kernel caches nothing of it but the existence of its directories.
 *
 * <p>Thread-safe. A platform thread reads requests and answers at once those that need no waiting; a look-up in a shard
 * runs on a virtual thread. An interrupted look-up is answered, and the fetch behind it continues for the next reader.
 */
public final class GateMount implements ServedMount {
    private static final Logger LOG = System.getLogger(GateMount.class.getName());
    private static final Duration MOUNT_TIMEOUT = Duration.ofSeconds(20);
    private static final int BUFFER = 1 << 16;

    private final MountPoint point;
    private final FuseConnection connection;
    private final Function<GatePath, Answer> lookups;
    private final Map<Long, PendingLookup> pending = new ConcurrentHashMap<>();
    private final LongAdder callbacks = new LongAdder();
    private final CompletableFuture<Session> session = new CompletableFuture<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    private GateMount(MountPoint point, FuseConnection connection, Function<GatePath, Answer> lookups) {
        this.point = point;
        this.connection = connection;
        this.lookups = lookups;
    }

    /**
     * Mounts and serves the gate at {@code directory} until closed; returns when the kernel has accepted the mount.
     *
     * @param lookups answers paths, on many threads; may block, may throw
     * @throws IOException when the directory is taken or FUSE is not available; the message names the remedy
     */
    public static GateMount start(Path directory, Function<GatePath, Answer> lookups) throws IOException {
        MountPoint point = new MountPoint(directory);
        point.prepare();
        GateMount mount = new GateMount(point, FuseConnection.mount(point.directory(), MountPoint.SOURCE), lookups);
        mount.read();
        try {
            mount.session.get(MOUNT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return mount;
        } catch (ExecutionException | TimeoutException e) {
            point.release();
            throw new IOException("could not mount at " + point.directory() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            point.release();
            throw new IOException("interrupted while mounting at " + point.directory(), e);
        }
    }

    /**
     * Continues with the mount of a dead gate: requests that it had read and not answered are sent again.
     *
     * @param connection of the mount at {@code directory}, where the kernel can send requests again
     * @throws IOException when the kernel refuses to
     */
    public static GateMount goOn(Path directory, FuseConnection connection, Function<GatePath, Answer> lookups)
            throws IOException {
        GateMount mount = new GateMount(new MountPoint(directory), connection, lookups);
        mount.session.complete(Session.GONE_ON);
        connection.write(Reply.resend());
        mount.read();
        return mount;
    }

    private void read() {
        Thread.ofPlatform().name("fuse-reader").daemon().start(() -> {
            try {
                ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
                while (connection.read(buffer)) {
                    if (buffer.hasRemaining()) {
                        callbacks.increment();
                        handle(buffer);
                    }
                }
                ended.complete(0);
            } catch (IOException | RuntimeException | Error e) {
                ended.completeExceptionally(e);
            } finally {
                session.completeExceptionally(new IOException("the file system was unmounted"));
            }
        });
    }

    private void handle(ByteBuffer bytes) throws IOException {
        Request request;
        try {
            request = Request.parse(bytes);
        } catch (ProtocolException e) {
            LOG.log(Level.ERROR, "a bug in reading the kernel's requests", e);
            return;
        }
        long unique = request.unique();
        long node = request.node();
        switch (request.operation()) {
            case Operation.Lookup(String name) -> lookUp(request, GatePath.child(node, name));
            case Operation.Attributes() ->
                connection.write(
                        GatePath.isDirectory(node)
                                ? Reply.attributes(unique, node)
                                : Reply.failed(unique, Errno.ESTALE.number()));
            case Operation.Space() -> connection.write(Reply.space(unique));
            case Operation.OpenDirectory() -> connection.write(Reply.opened(unique));
            case Operation.ReadDirectory wanted -> connection.write(Reply.names(unique, node, wanted));
            case Operation.CloseDirectory(), Operation.End() -> connection.write(Reply.done(unique));
            case Operation.Forget() -> {}
            case Operation.Interrupt(long target) -> interrupt(target);
            case Operation.Start offer -> start(unique, offer);
            case Operation.Unknown _ -> connection.write(Reply.failed(unique, Errno.ENOSYS.number()));
        }
    }

    private void start(long unique, Operation.Start offer) throws IOException {
        try {
            Session agreed = Session.agree(offer);
            connection.write(Reply.started(unique, agreed));
            session.complete(agreed);
        } catch (ProtocolException e) {
            connection.write(Reply.failed(unique, Errno.EOPNOTSUPP.number()));
            session.completeExceptionally(e);
        }
    }

    private void lookUp(Request request, GatePath path) throws IOException {
        long unique = request.unique();
        if (path instanceof GatePath.Directory(long node)) {
            connection.write(Reply.entry(unique, node));
            return;
        }
        PendingLookup lookup = new PendingLookup(request.pid());
        pending.put(unique, lookup);
        Thread.ofVirtual().name("lookup").start(() -> answer(unique, lookup, errno(path)));
    }

    /** Nothing may keep the waiter from an answer. */
    private int errno(GatePath path) {
        try {
            return switch (lookups.apply(path)) {
                case ABSENT -> Errno.ENOENT.number();
                case ARRIVED -> Errno.ESTALE.number();
                case DIRECTORY, FAILED -> Errno.EIO.number();
            };
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a bug in answering for " + path, e);
            return Errno.EIO.number();
        }
    }

    private void answer(long unique, PendingLookup lookup, int errno) {
        if (!lookup.claim()) {
            return;
        }
        pending.remove(unique, lookup);
        try {
            connection.write(Reply.failed(unique, errno));
        } catch (IOException e) {
            LOG.log(Level.ERROR, "a look-up could not be answered", e);
        }
    }

    private void interrupt(long target) {
        PendingLookup lookup = pending.get(target);
        if (lookup != null) {
            lookup.interrupted(() -> answer(target, lookup, Errno.EINTR.number()));
        }
    }

    /** Whether another process can continue with the connection. */
    public boolean resends() {
        return session.join().resends();
    }

    /** The number of the connection's descriptor in this process. */
    public int descriptor() {
        return connection.descriptor();
    }

    @Override
    public long callbacks() {
        return callbacks.sum();
    }

    @Override
    public CompletableFuture<Integer> ended() {
        return ended.copy();
    }

    @Override
    public void close() throws IOException {
        point.release();
    }
}
