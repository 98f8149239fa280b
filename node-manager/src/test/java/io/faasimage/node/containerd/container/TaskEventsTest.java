package io.faasimage.node.containerd.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import containerd.events.Task.TaskCreate;
import containerd.events.Task.TaskStart;
import containerd.services.containers.v1.ContainersGrpc;
import containerd.services.containers.v1.ContainersOuterClass.Container;
import containerd.services.containers.v1.ContainersOuterClass.GetContainerRequest;
import containerd.services.containers.v1.ContainersOuterClass.GetContainerResponse;
import containerd.services.events.v1.EventsGrpc;
import containerd.services.events.v1.EventsOuterClass.SubscribeRequest;
import containerd.types.Event.Envelope;
import io.faasimage.node.containerd.image.ContainerdChannel;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.link.start.StartEvents;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TaskEventsTest {
    private static final Instant AT = Instant.parse("2026-11-01T12:00:00.123456789Z");

    @TempDir
    private Path directory;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Events events = new Events(100, InstantSource.system(), Events.Log.NONE);
    private final BlockingQueue<String> noted = new LinkedBlockingQueue<>();
    private final BlockingQueue<StreamObserver<Envelope>> subscribers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> filters = new LinkedBlockingQueue<>();
    private final StartEvents starts = new StartEvents() {
        @Override
        public boolean awaitsProcess(String namespace) {
            return !namespace.equals("idle");
        }

        @Override
        public void accept(StartEvent event) {
            noted.add(
                    switch (event) {
                        case StartEvent.Created(String namespace, String snapshot, Instant at) ->
                            "created " + namespace + " " + snapshot + " " + at;
                        case StartEvent.Executed(String namespace, String snapshot, Instant at) ->
                            "executed " + namespace + " " + snapshot + " " + at;
                        default -> throw new IllegalArgumentException(event.toString());
                    });
        }
    };
    private ContainerdChannel channel;

    /** Sends the events that a test gives it. */
    private final class ToldEvents extends EventsGrpc.EventsImplBase {
        @Override
        public void subscribe(SubscribeRequest request, StreamObserver<Envelope> observer) {
            filters.addAll(request.getFiltersList());
            subscribers.add(observer);
        }
    }

    /** Has each container whose name is not that of an absent one. */
    private static final class KnownContainers extends ContainersGrpc.ContainersImplBase {
        @Override
        public void get(GetContainerRequest request, StreamObserver<GetContainerResponse> observer) {
            if (request.getId().equals("absent")) {
                observer.onError(Status.NOT_FOUND.asRuntimeException());
                return;
            }
            observer.onNext(GetContainerResponse.newBuilder()
                    .setContainer(Container.newBuilder()
                            .setId(request.getId())
                            .setSnapshotter(request.getId().equals("other") ? "overlayfs" : "faasimage")
                            .setSnapshotKey(request.getId() + "-snapshot"))
                    .build());
            observer.onCompleted();
        }
    }

    private final List<Server> servers = new ArrayList<>();

    @BeforeEach
    void connect() {
        channel = new ContainerdChannel(directory.resolve("c.sock"));
    }

    @AfterEach
    void stop() {
        channel.close();
        servers.forEach(Server::shutdownNow);
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private void serve(BindableService... services) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        UnixDomainSocketAddress.of(directory.resolve("c.sock")))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop);
        for (BindableService service : services) {
            builder.addService(service);
        }
        servers.add(builder.build().start());
    }

    private static Envelope event(String namespace, String topic, ByteString value) {
        return Envelope.newBuilder()
                .setNamespace(namespace)
                .setTopic(topic)
                .setTimestamp(
                        Timestamp.newBuilder().setSeconds(AT.getEpochSecond()).setNanos(AT.getNano()))
                .setEvent(Any.newBuilder().setValue(value))
                .build();
    }

    private static Envelope event(String namespace, String topic, Message message) {
        return event(namespace, topic, message.toByteString());
    }

    private static Envelope started(String namespace, String container) {
        return event(
                namespace,
                "/tasks/start",
                TaskStart.newBuilder().setContainerId(container).setPid(42).build());
    }

    @Test
    void tellsOfContainersOnThisNodesSnapshotterThatAreStarting() throws Exception {
        serve(new ToldEvents(), new KnownContainers());
        try (TaskEvents tasks = new TaskEvents(channel, "faasimage", starts, events)) {
            tasks.start();
            StreamObserver<Envelope> containerd = subscribers.take();
            assertThat(filters).containsExactly("topic==\"/tasks/create\"", "topic==\"/tasks/start\"");
            containerd.onNext(started("idle", "nobody-waits"));
            containerd.onNext(started("default", "other"));
            containerd.onNext(started("default", "absent"));
            containerd.onNext(event("default", "/tasks/start", ByteString.copyFromUtf8("\377not a message")));
            containerd.onNext(event(
                    "default",
                    "/tasks/create",
                    TaskCreate.newBuilder().setContainerId("mine").build()));
            containerd.onNext(started("default", "mine"));
            assertThat(noted.take()).isEqualTo("created default mine-snapshot " + AT);
            assertThat(noted.take()).isEqualTo("executed default mine-snapshot " + AT);
            assertThat(noted).isEmpty();
        }
    }

    @Test
    void connectsAgain() throws Exception {
        serve(new ToldEvents(), new KnownContainers());
        try (TaskEvents tasks = new TaskEvents(channel, "faasimage", starts, events)) {
            tasks.start();
            subscribers.take().onError(Status.UNAVAILABLE.asRuntimeException());
            subscribers.take().onNext(started("default", "mine"));
            assertThat(noted.take()).startsWith("executed default mine-snapshot");
        }
    }

    @Test
    void doesWithoutAContainerdThatHasNoEvents() throws Exception {
        serve(new KnownContainers());
        try (TaskEvents tasks = new TaskEvents(channel, "faasimage", starts, events)) {
            tasks.start();
            tasks.join();
        }
        assertThat(events.recent())
                .extracting(Event::text)
                .singleElement()
                .asString()
                .contains("sends no events");
    }
}
