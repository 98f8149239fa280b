package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Empty;
import containerd.services.version.v1.VersionGrpc;
import containerd.services.version.v1.VersionOuterClass.VersionResponse;
import io.faasimage.testing.Wait;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerdChannelTest {
    @TempDir
    private Path directory;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void stop() {
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private Server serve(Path socket, String version) throws IOException {
        Files.deleteIfExists(socket);
        return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .addService(new VersionGrpc.VersionImplBase() {
                    @Override
                    public void version(Empty request, StreamObserver<VersionResponse> observer) {
                        observer.onNext(
                                VersionResponse.newBuilder().setVersion(version).build());
                        observer.onCompleted();
                    }
                })
                .build()
                .start();
    }

    private static String version(ContainerdChannel containerd) {
        return VersionGrpc.newBlockingStub(containerd.channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .version(Empty.getDefaultInstance())
                .getVersion();
    }

    @Test
    void aContainerdThatWasStartedAgainIsReachedAtOnce() throws Exception {
        Path socket = directory.resolve("c.sock");
        try (ContainerdChannel containerd = new ContainerdChannel(socket)) {
            Server first = serve(socket, "1");
            assertThat(version(containerd)).isEqualTo("1");
            assertThat(first.shutdownNow().awaitTermination(10, TimeUnit.SECONDS))
                    .isTrue();
            // Several in a row, as those that listen for events make them: the pause grows.
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> version(containerd)).isInstanceOf(StatusRuntimeException.class);
            }
            Server second = serve(socket, "2");
            assertThat(version(containerd)).isEqualTo("2");
            second.shutdownNow();
        }
    }

    @Test
    void aCallOutlivesAConnectionAttemptThatBeganBeforeIt() throws Exception {
        Path socket = directory.resolve("c.sock");
        try (ServerSocketChannel dying = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                ContainerdChannel containerd = new ContainerdChannel(socket);
                ExecutorService calls = Executors.newCachedThreadPool()) {
            dying.bind(UnixDomainSocketAddress.of(socket));
            Future<String> before = calls.submit(() -> version(containerd));
            SocketChannel attempt = dying.accept();
            Server started = serve(socket, "2");
            AtomicReference<Thread> caller = new AtomicReference<>();
            Future<String> after = calls.submit(() -> {
                caller.set(Thread.currentThread());
                return version(containerd);
            });
            Wait.until("the call", () -> caller.get() != null && caller.get().getState() != Thread.State.RUNNABLE);
            attempt.close();
            assertThat(after.get()).isEqualTo("2");
            assertThatThrownBy(before::get).hasCauseInstanceOf(StatusRuntimeException.class);
            started.shutdownNow();
        }
    }
}
