package io.faasimage.node.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.node.link.event.Events;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
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
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    private final Events events = new Events(100, InstantSource.system());
    private final AtomicReference<@Nullable Boolean> readyWhenReplaced = new AtomicReference<>();
    private final AtomicReference<@Nullable Boolean> oldGateDied = new AtomicReference<>();
    private Path control;
    private Path mount;
    private Optional<Path> images = Optional.empty();
    private int failures = 3;
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

    private GateSupervisor supervise(Duration probeLimit) {
        return supervise(FakeGate.command(control, mount, REGISTRY), probeLimit);
    }

    private GateSupervisor supervise(List<String> command, Duration probeLimit) {
        GateConfig config = new GateConfig(
                command,
                mount,
                images,
                control,
                REGISTRY,
                START,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                probeLimit,
                failures,
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                true);
        GateSupervisor made = new GateSupervisor(config, OptionalInt.empty(), events);
        supervisor = made;
        made.start(this::replaced);
        return made;
    }

    private void replaced(boolean died) {
        oldGateDied.set(died);
        readyWhenReplaced.set(
                java.util.Objects.requireNonNull(supervisor).supervision().ready());
        throw new IllegalStateException("cannot move");
    }

    @Test
    void aNewGateIsAnnouncedAfterTheOldOneIsLeft() throws IOException {
        supervise(LONG).await(START);
        assertThat(readyWhenReplaced.get()).isEqualTo(false);
        assertThat(events.recent()).anyMatch(e -> e.text().contains("cannot move"));
    }

    @Test
    void aGateThatAnswersSlowlyIsLeftAlone() throws Exception {
        Path marker = directory.resolve("started");
        CountDownLatch asked = new CountDownLatch(2);
        ControlHandlers handlers = new ControlHandlers().on(GateOperations.STATUS, (request, progress) -> {
            asked.countDown();
            pause(Duration.ofMillis(600));
            return GateStatus.of(-1, "elsewhere", REGISTRY);
        });
        try (ControlServer _ = ControlServer.start(control, handlers)) {
            GateSupervisor slow = supervise(List.of("touch", marker.toString()), SHORT);
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(slow.supervision().starts()).isEqualTo(0);
            assertThat(marker).doesNotExist();
            slow.close();
        }
    }

    @Test
    void aSupervisionThatIsClosedWhileItWaitsForAnAnswerLeavesTheGateAlone() throws Exception {
        Path marker = directory.resolve("started");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        ControlHandlers handlers = new ControlHandlers().on(GateOperations.STATUS, (request, progress) -> {
            asked.countDown();
            Wait.until("the end of the gate", () -> closed.getCount() == 0);
            return GateStatus.of(-1, "elsewhere", REGISTRY);
        });
        try (ControlServer _ = ControlServer.start(control, handlers)) {
            GateSupervisor made = supervise(List.of("touch", marker.toString()), LONG);
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            made.close();
            closed.countDown();
            assertThat(events.recent()).noneMatch(e -> e.text().contains("killing"));
            assertThat(marker).doesNotExist();
        }
    }

    @Test
    void aGateThatHangsWhenTheAgentStartsIsKilledAndReplaced() throws Exception {
        Process old = runningGate();
        try {
            signal("STOP", old.pid());
            GateSupervisor made = supervise(SHORT);
            made.await(START);
            assertThat(old.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(made.supervision().starts()).isEqualTo(1);
            assertThat(events.recent()).anyMatch(e -> e.text().contains("killing the gate, process " + old.pid()));
        } finally {
            old.destroyForcibly();
        }
    }

    @Test
    void aGateThatAnswersAgainIsGoneOnWith() throws Exception {
        failures = Integer.MAX_VALUE;
        GateSupervisor made = supervise(SHORT);
        made.await(START);
        long pid = made.status().orElseThrow().pid();
        signal("STOP", pid);
        Wait.until("the end of the gate", () -> !isReady(made));
        signal("CONT", pid);
        Wait.until("a gate", () -> isReady(made));
        assertThat(made.supervision().starts()).isEqualTo(1);
    }

    private static boolean isReady(GateSupervisor supervisor) {
        return supervisor.supervision().ready();
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aGateThatShowsNoImagesIsRetiredWhenTheyAreNeeded() throws Exception {
        images = Optional.of(directory.resolve("gate-images"));
        aRunningGateIsRetired("does not serve root file systems at " + images.orElseThrow());
    }

    @Test
    void aGateWithoutItsMountIsRetired() throws Exception {
        aRunningGateIsRetired("lost its mount at " + mount);
    }

    private Process runningGate() throws IOException {
        Process gate = new ProcessBuilder(FakeGate.command(control, mount, REGISTRY))
                .inheritIO()
                .start();
        Wait.until("the socket", () -> ControlServer.isServed(control));
        return gate;
    }

    private void aRunningGateIsRetired(String reason) throws Exception {
        Process old = runningGate();
        try {
            GateSupervisor made = supervise(LONG);
            made.await(START);
            assertThat(made.supervision().starts()).isEqualTo(1);
            assertThat(old.isAlive()).as("containers may use it").isTrue();
            assertThat(oldGateDied.get()).isFalse();
            assertThat(events.recent()).anyMatch(e -> e.text().contains(reason));
        } finally {
            old.destroyForcibly();
        }
    }
}
