package io.faasimage.node;

import io.faasimage.api.concurrent.Closing;
import io.faasimage.api.control.ControlServer;
import io.faasimage.node.agent.control.ObjectControl;
import io.faasimage.node.containerd.snapshot.SnapshotterConfig;
import io.faasimage.node.gate.GateSupervisor;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The running agent. Started in the order state, gate, control, snapshotter, and ended in the opposite one: a client
 * that finds the snapshotter's socket finds everything behind it.
 */
final class Node implements AutoCloseable {
    private final Closing closing = new Closing();
    private Optional<GateSupervisor> gate = Optional.empty();

    /**
     * Starts everything.
     *
     * @param stop called when a client requests the end; with true when the gate is to end too
     * @throws IOException when a part cannot start; nothing is left running then, except the gate
     */
    Node(NodeConfig config, Consumer<Boolean> stop) throws IOException {
        try {
            start(config, stop);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(NodeConfig config, Consumer<Boolean> stop) throws IOException {
        if (ControlServer.isServed(config.nodeSocket())) {
            throw new IOException("another node agent already serves " + config.nodeSocket()
                    + "; stop it first, or choose another directory with --run");
        }
        // Checks the directory names before anything is made.
        SnapshotterConfig.of(config.root(), config.snapshotterSockets(), config.snapshots());
        DiskAssembly disk = new DiskAssembly(config, closing);
        ServiceAssembly service = new ServiceAssembly(config, disk, closing);
        PlanAssembly planned = new PlanAssembly(config, disk, service, closing);
        gate = Optional.of(planned.gate);
        ContainerdAssembly containerd = new ContainerdAssembly(config, disk, service, planned, closing);
        // Before the gate, which sends requests there.
        closing.add(ControlServer.start(
                config.objectsSocket(), new ObjectControl(planned.pulls.demand()).handlers(), ObjectControl.WAITING));
        containerd.start(stop);
    }

    /** Ends the gate too; before {@link #close}. */
    void stopGate() {
        gate.ifPresent(supervisor -> {
            supervisor.close();
            supervisor.stopGate();
        });
    }

    /** Ends all parts but the gate, the last started first. Idempotent. */
    @Override
    public void close() {
        closing.close();
    }
}
