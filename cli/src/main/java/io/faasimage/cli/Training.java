package io.faasimage.cli;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.node.NodeOperations;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The run of the {@code faasimage} command that makes its ahead-of-time cache: a pull, which a cold start waits for,
 * from an agent that has the image, and then the command that is given.
 */
final class Training {
    private static final String IMAGE = "training:1";

    private Training() {}

    /** Runs both. */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("faasimage-training");
        Path socket = directory.resolve("node.sock");
        ControlHandlers agent = new ControlHandlers().on(NodeOperations.PULL.plain(), (request, events) -> {
            events.accept(JsonFields.of(Map.of("phase", "objects", "done", 1L, "total", 2L)));
            return JsonFields.of(Map.of("image", IMAGE, "layerBytes", 1234L, "totalMillis", 1L));
        });
        try (ControlServer server = ControlServer.start(socket, agent)) {
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            Main.run(List.of("pull", IMAGE, "--node-socket", socket.toString()), nowhere, nowhere);
            Main.run(List.of("--version"), nowhere, nowhere);
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(directory);
        }
        Main.main(args);
    }
}
