package io.faasimage.node.gate;

import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.linux.FuseConnection;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The gate's connection to the kernel, kept by the agent so that it outlives the gate. As long as it is kept and no
 * gate continues with it, readers wait; dropped, they get an error. For one thread.
 */
final class KeptConnection {
    private final Events events;
    private Optional<FuseConnection> connection = Optional.empty();

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
        try {
            connection = Optional.of(
                    FuseConnection.of(status.pid(), status.connection().descriptor()));
        } catch (IOException e) {
            events.fallback(
                    GateSupervisor.TOPIC,
                    "running containers will get errors when the gate ends, because its connection cannot be"
                            + " kept (CAP_SYS_PTRACE is needed): "
                            + Events.reason(e));
        }
    }

    boolean isThere() {
        return connection.isPresent();
    }

    /** The options with which a gate continues with the connection; none when there is none. */
    List<String> options() {
        return connection
                .map(kept -> List.of("--connection", ProcessHandle.current().pid() + ":" + kept.descriptor()))
                .orElse(List.of());
    }

    void drop() {
        connection.ifPresent(FuseConnection::close);
        connection = Optional.empty();
    }
}
