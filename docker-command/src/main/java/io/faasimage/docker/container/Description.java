package io.faasimage.docker.container;

import io.faasimage.api.Json;
import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.databind.node.ObjectNode;

/** The part of Docker's {@code config.v2.json} that OpenWhisk's invoker reads instead of calling {@code inspect}. */
final class Description {
    private Description() {}

    /** Replaces the file of a container. */
    static void write(Path file, ContainerInfo info, boolean outOfMemory) throws IOException {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("ID", info.id());
        json.put("Name", "/" + info.name());
        json.put("Created", info.created().toString());
        ObjectNode state = json.putObject("State");
        state.put("Running", info.state().isAlive());
        state.put("Paused", info.state() == ContainerInfo.State.PAUSED);
        state.put("OOMKilled", outOfMemory);
        json.putObject("NetworkSettings")
                .putObject("Networks")
                .putObject("bridge")
                .put("IPAddress", info.address().orElse(""));
        AtomicFile.publish(file, out -> out.write(Json.mapper().writeValueAsBytes(json)));
    }
}
