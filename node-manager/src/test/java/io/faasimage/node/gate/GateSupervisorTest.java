package io.faasimage.node.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.control.ControlServer;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateSupervisorTest {
    private static final String REGISTRY = "http://registry";
    private static final Duration START = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final Events events = new Events(100, InstantSource.system());
    private final AtomicReference<@Nullable Object> readyWhenReplaced = new AtomicReference<>();
    private Path control;
    private Path mount;
    private Optional<Path> images = Optional.empty();
    private @Nullable GateSupervisor supervisor;

    @BeforeEach
    void paths() {
        control = directory.resolve("gate.sock");
        mount = directory.resolve("gate");
    }

    @AfterEach
    void stop() {
        if (supervisor != null) {
            supervisor.close();
            supervisor.stopGate();
        }
    }

    private GateSupervisor supervise(List<String> command, Duration statusLimit) {
        GateConfig config = new GateConfig(
                command,
                mount,
                images,
                Optional.empty(),
                control,
                REGISTRY,
                START,
                statusLimit,
                Duration.ofMillis(50),
                Duration.ofMillis(200));
        GateSupervisor made = new GateSupervisor(config, events, this::replaced);
        supervisor = made;
        made.start();
        return made;
    }

    private void replaced() {
        readyWhenReplaced.set(
                java.util.Objects.requireNonNull(supervisor).supervision().get("ready"));
        throw new IllegalStateException("cannot move");
    }

    @Test
    void aNewGateIsAnnouncedAfterTheOldOneIsLeft() throws IOException {
        supervise(FakeGate.command(control, mount, REGISTRY), Duration.ofSeconds(2))
                .await(START);
        assertThat(readyWhenReplaced.get()).isEqualTo(false);
        assertThat(events.recent()).anyMatch(e -> e.text().contains("cannot move"));
    }

    @Test
    void aGateThatAnswersSlowlyIsLeftAlone() throws Exception {
        Path marker = directory.resolve("started");
        try (ControlServer _ = ControlServer.start(control, (command, request, progress) -> {
            pause(Duration.ofSeconds(1));
            return Map.of();
        })) {
            GateSupervisor slow = supervise(List.of("touch", marker.toString()), Duration.ofMillis(100));
            assertThatThrownBy(() -> slow.await(Duration.ofMillis(800))).hasMessageContaining("did not answer within");
            assertThat(slow.supervision()).containsEntry("starts", 0);
            assertThat(marker).doesNotExist();
            slow.close();
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aGateThatShowsNoImagesIsReplacedWhenTheyAreNeeded() throws Exception {
        images = Optional.of(directory.resolve("gate-images"));
        aRunningGateIsReplaced();
        assertThat(events.recent())
                .anyMatch(e -> e.text().contains("does not show root file systems at " + images.orElseThrow()));
    }

    @Test
    void aGateWithoutItsMountIsReplaced() throws Exception {
        aRunningGateIsReplaced();
        assertThat(events.recent()).anyMatch(e -> e.text().contains("whose mount at " + mount + " is gone"));
    }

    private void aRunningGateIsReplaced() throws Exception {
        List<String> command = FakeGate.command(control, mount, REGISTRY);
        Process old = new ProcessBuilder(command).inheritIO().start();
        try {
            for (int i = 0; i < 300 && !ControlServer.isServed(control); i++) {
                pause(Duration.ofMillis(100));
            }
            GateSupervisor made = supervise(command, Duration.ofSeconds(2));
            made.await(START);
            assertThat(old.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(made.supervision()).containsEntry("starts", 1);
        } finally {
            old.destroyForcibly();
        }
    }
}
