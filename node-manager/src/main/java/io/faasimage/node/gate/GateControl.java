package io.faasimage.node.gate;

import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.gate.ProcessDescriptor;
import io.faasimage.linux.ProcessExit;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The gate's control socket, as the supervision uses it. Thread-safe. */
final class GateControl {
    private final GateConfig config;
    private final ControlClient client;

    GateControl(GateConfig config) {
        this.config = config;
        this.client = new ControlClient(config.control());
    }

    /** Whether a living process accepts connections. */
    boolean isServed() {
        return ControlServer.isServed(config.control());
    }

    /** Empty when the gate does not answer within {@code limit}, or says that it cannot. */
    Optional<GateStatus> status(Duration limit) {
        return call(GateOperations.STATUS, limit);
    }

    /** The process of a gate with this status; empty when it has ended. */
    static Optional<ProcessHandle> process(GateStatus status) {
        return ProcessHandle.of(status.pid());
    }

    /** The gate keeps a descriptor of this process. */
    void keep(int descriptor) throws IOException {
        ProcessDescriptor mine = new ProcessDescriptor(ProcessHandle.current().pid(), descriptor);
        var _ = TimedCall.run("gate-keep", config.statusLimit(), () -> client.call(GateOperations.KEEP, mine, _ -> {}));
    }

    /** The gate leaves its paths, and serves its containers. */
    void retire() throws IOException {
        client.call(GateOperations.RETIRE);
    }

    /** Stops the gate: it gets a request, and is killed when it does not end. Bounded. */
    void stop() {
        Optional<ProcessHandle> process = status(config.statusLimit()).flatMap(GateControl::process);
        call(GateOperations.STOP, config.statusLimit());
        process.ifPresent(this::awaitEnd);
    }

    private void awaitEnd(ProcessHandle process) {
        try {
            ProcessExit.of(process).get(config.statusLimit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <R> Optional<R> call(Operation<Empty, Empty, R> operation, Duration limit) {
        try {
            return Optional.of(TimedCall.run("gate-control", limit, () -> client.call(operation)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
