package io.faasimage.node.gate;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A process that answers like a gate, and mounts nothing. */
final class FakeGate {
    private FakeGate() {}

    /** The command of one that serves {@code control}. */
    static List<String> command(Path control, Path mount, String registry) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                FakeGate.class.getName(),
                control.toString(),
                mount.toString(),
                registry);
    }

    /**
     * Arguments: control socket, mount, registry. Serves until it is stopped; continues without its socket when
     * retired.
     */
    public static void main(String[] arguments) throws Exception {
        GateStatus status = GateStatus.of(ProcessHandle.current().pid(), arguments[1], arguments[2]);
        Files.createDirectories(Path.of(arguments[1], "verdict"));
        AtomicReference<@Nullable ControlServer> server = new AtomicReference<>();
        ControlHandlers handlers = new ControlHandlers()
                .on(GateOperations.STATUS, (request, events) -> status)
                .on(GateOperations.RETIRE, (request, events) -> {
                    Objects.requireNonNull(server.get()).close();
                    return request;
                })
                .on(GateOperations.STOP, (request, events) -> {
                    System.exit(0);
                    return request;
                });
        server.set(ControlServer.start(Path.of(arguments[0]), handlers));
        Thread.currentThread().join();
    }
}
