package io.faasimage.node.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.linux.FuseConnection;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.libc.Libc;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class KeptConnectionIT {
    @TempDir
    private Path directory;

    private final Events events = new Events(100, InstantSource.system(), Events.Log.NONE);
    private final KeptConnection kept = new KeptConnection(events);
    private FuseConnection gates;

    @BeforeEach
    void mount() throws IOException {
        gates = FuseConnection.mount(directory, "test");
        kept.take(status());
    }

    @AfterEach
    void unmount() throws IOException {
        kept.drop();
        gates.close();
        Mounts.detach(directory);
    }

    private JsonNode status() {
        return Json.mapper()
                .valueToTree(Map.of(
                        "pid",
                        ProcessHandle.current().pid(),
                        "connection",
                        Map.of("descriptor", gates.descriptor(), "resends", true)));
    }

    private int descriptor() {
        String option = kept.options().getLast();
        return Integer.parseInt(option.substring(option.indexOf(':') + 1));
    }

    @Test
    void aDescriptorThatSomethingElseClosedIsTakenAgainFromTheGate() {
        assertThat(kept.isThere()).isTrue();
        Libc.close(descriptor());
        kept.check();
        assertThat(kept.isThere()).isTrue();
        assertThat(events.recent()).anyMatch(event -> event.text().contains("was closed by something else"));
    }
}
