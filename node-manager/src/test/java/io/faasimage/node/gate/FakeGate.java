package io.faasimage.node.gate;

import io.faasimage.api.control.ControlServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

    /** Arguments: control socket, mount, registry. Serves until it is told to stop. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> status =
                Map.of("pid", ProcessHandle.current().pid(), "mount", arguments[1], "registry", arguments[2]);
        ControlServer.start(Path.of(arguments[0]), (command, request, events) -> {
            if (command.equals("stop")) {
                System.exit(0);
            }
            return status;
        });
        Thread.currentThread().join();
    }
}
