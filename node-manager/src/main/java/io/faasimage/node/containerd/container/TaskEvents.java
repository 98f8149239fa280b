package io.faasimage.node.containerd.container;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import containerd.events.Task.TaskCreate;
import containerd.events.Task.TaskStart;
import containerd.services.containers.v1.ContainersGrpc;
import containerd.services.containers.v1.ContainersOuterClass.Container;
import containerd.services.containers.v1.ContainersOuterClass.GetContainerRequest;
import containerd.services.events.v1.EventsGrpc;
import containerd.services.events.v1.EventsOuterClass.SubscribeRequest;
import containerd.types.Event.Envelope;
import io.faasimage.api.concurrent.Backoff;
import io.faasimage.node.containerd.image.ContainerdChannel;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.StartEvent.Created;
import io.faasimage.node.link.start.StartEvent.Executed;
import io.faasimage.node.link.start.StartEvents;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A subscriber to containerd's task events, which reports when a container was created and when its first process
 * started. Only measurements are lost with an event that it misses: it connects again after growing pauses, and no
 * start waits for it. Has a thread of its own.
 */
public final class TaskEvents implements AutoCloseable {
    private static final String TOPIC = "containerd";
    private static final String CREATED = "/tasks/create";
    private static final String STARTED = "/tasks/start";
    private static final Metadata.Key<String> NAMESPACE =
            Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final ContainerdChannel containerd;
    private final String snapshotter;
    private final StartEvents starts;
    private final Events events;
    private final Thread thread = Thread.ofVirtual().name("task-events").unstarted(this::listen);

    /**
     * Of the containers at {@code containerd} whose root file systems are this node's.
     *
     * @param snapshotter the name under which containerd knows this node's snapshotter
     */
    public TaskEvents(ContainerdChannel containerd, String snapshotter, StartEvents starts, Events events) {
        this.containerd = containerd;
        this.snapshotter = snapshotter;
        this.starts = starts;
        this.events = events;
    }

    /** Begins to listen. */
    public void start() {
        thread.start();
    }

    private void listen() {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, new SplittableRandom());
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long begin = System.nanoTime();
                try {
                    subscribe();
                } catch (StatusRuntimeException e) {
                    if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                        events.info(TOPIC, "sends no events: first processes of containers are not recorded");
                        return;
                    }
                }
                if (System.nanoTime() - begin > LONGEST_PAUSE.toNanos()) {
                    backoff.reset();
                }
                Thread.sleep(backoff.next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void subscribe() {
        Iterator<Envelope> received = EventsGrpc.newBlockingStub(containerd.channel())
                .subscribe(SubscribeRequest.newBuilder()
                        .addFilters("topic==\"" + CREATED + "\"")
                        .addFilters("topic==\"" + STARTED + "\"")
                        .build());
        while (received.hasNext()) {
            Envelope envelope = received.next();
            if (starts.awaitsProcess(envelope.getNamespace())) {
                deliver(envelope);
            }
        }
    }

    private void deliver(Envelope envelope) {
        String namespace = envelope.getNamespace();
        try {
            boolean created = envelope.getTopic().equals(CREATED);
            ByteString event = envelope.getEvent().getValue();
            String id = created
                    ? TaskCreate.parseFrom(event).getContainerId()
                    : TaskStart.parseFrom(event).getContainerId();
            Container container = container(namespace, id);
            if (!container.getSnapshotter().equals(snapshotter)) {
                return;
            }
            Instant at = instant(envelope.getTimestamp());
            if (created) {
                starts.accept(new Created(namespace, container.getSnapshotKey(), at));
            } else {
                starts.accept(new Executed(namespace, container.getSnapshotKey(), at));
            }
        } catch (InvalidProtocolBufferException | StatusRuntimeException e) {
            events.info(TOPIC, "an event of a container is not recorded: " + Events.reason(e));
        }
    }

    private Container container(String namespace, String id) {
        Metadata headers = new Metadata();
        headers.put(NAMESPACE, namespace);
        return ContainersGrpc.newBlockingStub(containerd.channel())
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(CALL.toMillis(), TimeUnit.MILLISECONDS)
                .get(GetContainerRequest.newBuilder().setId(id).build())
                .getContainer();
    }

    private static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /** Waits until the subscription has ended. */
    void join() throws InterruptedException {
        thread.join();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
