package io.faasimage.node.gate;

import io.faasimage.api.control.ControlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
     * Arguments: control socket, mount, registry. Serves until it is told to stop; goes on without its socket when
     * retired.
     */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> status =
                Map.of("pid", ProcessHandle.current().pid(), "mount", arguments[1], "registry", arguments[2]);
        Files.createDirectories(Path.of(arguments[1], "verdict"));
        AtomicReference<@Nullable ControlServer> server = new AtomicReference<>();
        server.set(ControlServer.start(Path.of(arguments[0]), (command, request, events) -> {
            if (command.equals("stop")) {
                System.exit(0);
            }
            if (command.equals("retire")) {
                Objects.requireNonNull(server.get()).close();
            }
            return status;
        }));
        Thread.currentThread().join();
    }
}
