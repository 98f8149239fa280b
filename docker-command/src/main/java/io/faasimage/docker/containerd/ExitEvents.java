package io.faasimage.docker.containerd;

import com.google.protobuf.InvalidProtocolBufferException;
import containerd.events.Task.TaskExit;
import containerd.events.Task.TaskOOM;
import containerd.services.events.v1.EventsGrpc;
import containerd.services.events.v1.EventsOuterClass.SubscribeRequest;
import containerd.types.Event.Envelope;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Tells, on a thread of its own, of containers in which a process ended or was refused memory. Subscribes again when it
 * is cut off.
 */
public final class ExitEvents implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ExitEvents.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ContainerdChannel containerd;
    private final Consumer<String> exited;
    private final Runnable subscribed;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Begins to listen.
     *
     * @param exited takes the container's ID
     * @param subscribed is called whenever events may have been missed before
     */
    public ExitEvents(ContainerdChannel containerd, Consumer<String> exited, Runnable subscribed) {
        this.containerd = containerd;
        this.exited = exited;
        this.subscribed = subscribed;
        this.thread = Thread.ofPlatform().daemon().name("exit-events").start(this::listen);
    }

    private void listen() {
        String namespace = "namespace==" + containerd.namespace() + ",topic";
        SubscribeRequest request = SubscribeRequest.newBuilder()
                .addFilters(namespace + "==/tasks/exit")
                .addFilters(namespace + "==/tasks/oom")
                .build();
        while (!closed) {
            try {
                Iterator<Envelope> events =
                        EventsGrpc.newBlockingStub(containerd.channel()).subscribe(request);
                subscribed.run();
                while (events.hasNext()) {
                    tell(events.next());
                }
            } catch (StatusRuntimeException | InvalidProtocolBufferException e) {
                if (!closed) {
                    LOG.log(Level.WARNING, "containerd's events are missed for a while: {0}", e.getMessage());
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void tell(Envelope envelope) throws InvalidProtocolBufferException {
        if (envelope.getTopic().equals("/tasks/oom")) {
            exited.accept(TaskOOM.parseFrom(envelope.getEvent().getValue()).getContainerId());
        } else {
            exited.accept(TaskExit.parseFrom(envelope.getEvent().getValue()).getContainerId());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
