package io.faasimage.node.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.gate.FetchStatus;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.linux.FuseConnection;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.libc.Libc;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private GateStatus status() {
        return new GateStatus(
                ProcessHandle.current().pid(),
                directory.toString(),
                new GateStatus.Connection(gates.descriptor(), true),
                Optional.empty(),
                "",
                Optional.empty(),
                "",
                0,
                0,
                FetchStatus.NONE);
    }

    @Test
    void oneDescriptorThatSomethingElseClosedIsReplacedByTheOther() {
        int closed = kept.descriptors().getFirst();
        Libc.close(closed);
        assertThat(kept.isThere()).isTrue();
        assertThat(kept.options().getLast()).doesNotEndWith(":" + closed);
        assertThat(events.recent()).anyMatch(event -> event.text().contains("was closed by something else"));
    }

    @Test
    void aConnectionThatWasLostIsTakenAgainFromTheGate() {
        kept.descriptors().forEach(Libc::close);
        kept.check();
        assertThat(kept.isThere()).isTrue();
        assertThat(events.recent())
                .filteredOn(event -> event.text().contains("was closed by something else"))
                .hasSize(2);
    }
}
