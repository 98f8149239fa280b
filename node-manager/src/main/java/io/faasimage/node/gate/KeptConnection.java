package io.faasimage.node.gate;

import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.linux.FuseConnection;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gate's connection to the kernel, kept by the agent so that it outlives the gate. As long as it is kept and no
 * gate continues with it, readers wait; dropped, they get an error. For one thread.
 *
 * <p>Implementation note: two descriptors are kept. Twice in some thousand injected faults, one was something else when
 * a gate had died; what closed it is not known.
 */
final class KeptConnection {
    private static final int DESCRIPTORS = 2;

    private final Events events;
    private final List<FuseConnection> connections = new ArrayList<>(DESCRIPTORS);
    /** Process and descriptor that they were taken from. */
    private long pid;

    private int descriptor;

    KeptConnection(Events events) {
        this.events = events;
    }

    /** Takes the connection of a gate with this status, where the kernel can send requests again. */
    void take(GateStatus status) {
        drop();
        if (!status.connection().resends()) {
            events.info(
                    GateSupervisor.TOPIC,
                    "containers will notice when the gate ends: this kernel is older than Linux 6.9");
            return;
        }
        isWith(status);
        take();
    }

    /** A gate with this status continues with the connection. */
    void isWith(GateStatus status) {
        pid = status.pid();
        descriptor = status.connection().descriptor();
    }

    private void take() {
        try {
            connections.add(FuseConnection.of(pid, descriptor));
            complete();
        } catch (IOException e) {
            events.fallback(
                    GateSupervisor.TOPIC,
                    "running containers will get errors when the gate ends, because its connection cannot be"
                            + " kept (CAP_SYS_PTRACE is needed): "
                            + Events.reason(e));
        }
    }

    private void complete() throws IOException {
        while (connections.size() < DESCRIPTORS) {
            connections.add(connections.getFirst().duplicate());
        }
    }

    /** Takes the connection again from the gate, which lives, when it was lost. */
    void check() {
        if (!connections.isEmpty() && !isThere()) {
            take();
        }
    }

    /** Whether it is kept. A descriptor that has become something else belongs to somebody else, and is not closed. */
    boolean isThere() {
        if (connections.removeIf(this::isLost) && !connections.isEmpty()) {
            try {
                complete();
            } catch (IOException e) {
                events.fallback(
                        GateSupervisor.TOPIC, "the gate's connection is kept by one descriptor: " + Events.reason(e));
            }
        }
        return !connections.isEmpty();
    }

    private boolean isLost(FuseConnection connection) {
        Optional<String> loss = connection.loss();
        loss.ifPresent(what -> events.error(
                GateSupervisor.TOPIC,
                "descriptor " + connection.descriptor() + ", which kept the gate's connection, was closed by something"
                        + " else in this process: it " + what));
        return loss.isPresent();
    }

    /** The numbers by which it is kept. */
    List<Integer> descriptors() {
        return connections.stream().map(FuseConnection::descriptor).toList();
    }

    /** What tells a gate to continue with it; nothing when there is none. */
    List<String> options() {
        return connections.isEmpty()
                ? List.of()
                : List.of(
                        "--connection",
                        ProcessHandle.current().pid() + ":" + descriptors().getFirst());
    }

    void drop() {
        if (isThere()) {
            connections.forEach(FuseConnection::close);
            connections.clear();
        }
    }
}
