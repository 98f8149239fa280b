package io.faasimage.api.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlSocketTest {
    @TempDir
    private Path dir;

    @Test
    void eventsComeBeforeTheResult() throws IOException {
        ControlHandler handler = (command, request, events) -> {
            events.accept(Map.of("step", 1));
            events.accept(Map.of("step", 2));
            return Map.of("echo", request.get("text").asString(), "command", command);
        };
        List<Integer> steps = new ArrayList<>();
        try (ControlServer server = ControlServer.start(dir.resolve("c.sock"), handler)) {
            var result = new ControlClient(dir.resolve("c.sock"))
                    .call(
                            "say",
                            Map.of("text", "größe\n2"),
                            e -> steps.add(e.get("step").asInt()));
            assertThat(result.get("echo").asString()).isEqualTo("größe\n2");
            assertThat(result.get("command").asString()).isEqualTo("say");
        }
        assertThat(steps).containsExactly(1, 2);
        assertThat(Files.exists(dir.resolve("c.sock"))).isFalse();
    }

    @Test
    void anErrorReachesTheCallerWithItsMessage() throws IOException {
        ControlHandler handler = (command, request, events) -> {
            throw new IOException("the disk is full; free some space");
        };
        try (ControlServer server = ControlServer.start(dir.resolve("c.sock"), handler)) {
            ControlClient client = new ControlClient(dir.resolve("c.sock"));
            assertThatThrownBy(() -> client.call("x"))
                    .isInstanceOf(ControlException.class)
                    .hasMessage("the disk is full; free some space");
        }
    }

    @Test
    void aSecondServerOnALiveSocketIsRefusedAndADeadSocketIsReplaced() throws IOException {
        Path socket = dir.resolve("c.sock");
        ControlHandler handler = (command, request, events) -> "ok";
        try (ControlServer server = ControlServer.start(socket, handler)) {
            assertThatThrownBy(() -> ControlServer.start(socket, handler)).hasMessageContaining("already listens");
        }
        Files.createFile(socket);
        try (ControlServer server = ControlServer.start(socket, handler)) {
            assertThat(new ControlClient(socket).call("x").asString()).isEqualTo("ok");
        }
    }

    @Test
    void nobodyListening() {
        assertThatThrownBy(() -> new ControlClient(dir.resolve("none.sock")).call("x"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer");
    }
}
