package io.faasimage.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.gate.FakeService.Mood;
import io.faasimage.linux.FuseConnection;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate as a process, under real overlays, with a registry that fails on request. Needs root and /dev/fuse. */
final class GateIT {
    private static final String SCRIPT = "#!/bin/sh\necho started\n";
    private static final String DATA = "0123456789abcdefghijkl\n";
    private static final String OTHER = "zyxwvutsrqponmlkjihgfe\n";

    @TempDir
    Path node;

    private FakeService registry;
    private RootFs files;
    private Digest data;
    private Digest other;

    @BeforeEach
    void prepare() throws IOException {
        assertThat(List.of(SCRIPT.length(), DATA.length(), OTHER.length())).containsOnly(23);
        registry = new FakeService();
        data = registry.add(DATA);
        other = registry.add(OTHER);
        Digest script = registry.add(SCRIPT);
        files = new RootFs(node, Map.of("script", script, "data", data, "other", other), 23);
    }

    @AfterEach
    void cleanUp() throws IOException {
        registry.close();
        RootFs.unmountAll(node);
    }

    @Test
    void aMissingObjectIsFetchedOnceAndThenNative() throws Exception {
        try (RunningGate gate = startGate()) {
            for (Path root : List.of(files.mount(), files.mountErofs())) {
                assertThat(root.resolve("data")).hasSize(23);
                assertThat(root.resolve("data")).hasContent(DATA);
                Process run = new ProcessBuilder(root.resolve("script").toString()).start();
                assertThat(new String(run.getInputStream().readAllBytes(), UTF_8))
                        .isEqualTo("started\n");
            }
            assertThat(registry.requests()).isEqualTo(2);
            assertThat(gate.status().fetches().fetched()).isEqualTo(2);
            assertThat(gate.status().fetches().bytes()).isEqualTo(46);
            long callbacks = gate.status().callbacks();
            assertThat(gate.status().requests())
                    .as("no look-up for what is held")
                    .isEqualTo(2);
            assertThat(files.mount().resolve("data")).hasContent(DATA);
            assertThat(gate.status().requests()).isEqualTo(2);
            assertThat(gate.status().callbacks() - callbacks)
                    .as("a warm open asks the gate nothing; the mount itself may look at the two directories")
                    .isLessThanOrEqualTo(4);
        }
    }

    @Test
    void lookUpsThatWarmUpFetchNothing() throws Exception {
        String hex = ObjectOperations.WARM_UP.hex();
        try (RunningGate gate = startGate()) {
            Path object =
                    node.resolve("gate/fetch").resolve(hex.substring(0, 2)).resolve(hex.substring(2));
            for (int i = 0; i < 10; i++) {
                assertThat(object).doesNotExist();
            }
            assertThat(registry.requests()).isZero();
            assertThat(gate.status().requests()).isZero();
            assertThat(gate.status().fetches().failed()).isZero();
            assertThat(gate.status().callbacks())
                    .as("each was one of the kernel's")
                    .isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void whenTheRegistryIsDownAReaderGetsAnErrorInTimeAndARetryWorks() throws Exception {
        registry.goDown();
        try (RunningGate gate = startGate("--fetch-timeout", "2s")) {
            Path root = files.mount();
            long start = System.nanoTime();
            assertUnreadable(root.resolve("data"));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(gate.status().fetches().lastFailure().orElseThrow().reason())
                    .contains(data.toString(), "attempt");
            assertThat(gate.log()).contains("could not fetch object " + data);
            registry.comeBack();
            assertThat(root.resolve("data")).hasContent(DATA);
        }
    }

    @Test
    void aReplacedTokenIsTakenFromItsFile() throws Exception {
        Path token = Files.writeString(node.resolve("token"), "first\n");
        registry.demand("first");
        try (RunningGate gate = startGate("--token-file", token.toString(), "--fetch-timeout", "2s")) {
            Path root = files.mount();
            assertThat(root.resolve("data")).hasContent(DATA);
            registry.demand("second");
            assertUnreadable(root.resolve("other"));
            Files.writeString(token, "second\n");
            assertThat(root.resolve("other")).hasContent(OTHER);
        }
    }

    @Test
    void whatIsCorruptedOnTheWireIsRefused() throws Exception {
        try (RunningGate gate = startGate("--fetch-timeout", "5s", "--attempts", "2")) {
            Path root = files.mount();
            for (Mood mood : List.of(Mood.CORRUPTING, Mood.TRUNCATING)) {
                registry.be(mood);
                int before = registry.requests();
                assertUnreadable(root.resolve("data"));
                assertThat(registry.requests() - before).as("fetched again").isGreaterThanOrEqualTo(2);
                assertThat(node.resolve("objects").resolve(data.objectPath())).doesNotExist();
            }
            assertThat(gate.log()).contains("has digest");
            registry.be(Mood.HONEST);
            assertThat(root.resolve("data")).hasContent(DATA);
        }
    }

    @Test
    void withTheGateKilledHeldObjectsStayReadableAndANewGateTakesOver() throws Exception {
        RunningGate first = startGate();
        Path root = files.mount();
        try (first) {
            assertThat(root.resolve("data")).hasContent(DATA);
            first.kill();
        }
        assertThat(root.resolve("data")).hasContent(DATA);
        assertThatIOException()
                .isThrownBy(() -> Files.readAllBytes(root.resolve("other")))
                .withMessageContaining("Transport endpoint is not connected");
        try (ObjectStore store = ObjectStore.open(node, "somebody")) {
            store.publish(other, ByteBuffer.wrap(OTHER.getBytes(UTF_8)));
        }
        assertThat(root.resolve("other")).as("brought by somebody else").hasContent(OTHER);
        try (RunningGate second = startGate()) {
            assertThat(files.mount().resolve("script")).hasContent(SCRIPT);
            assertThat(second.log()).contains("removed the mount of a dead gate from");
            assertThat(MountTable.read().below(node.resolve("gate")))
                    .as("one mount only")
                    .hasSize(1);
        }
    }

    @Test
    void theVerdictOnAnObjectThatHasArrivedIsToLookAgain() throws Exception {
        try (RunningGate gate = startGate()) {
            Path verdict = node.resolve("gate/verdict");
            assertThatIOException()
                    .isThrownBy(() -> Files.size(verdict.resolve(data.objectPath())))
                    .withMessageContaining("Input/output error");
            assertThat(files.mount().resolve("data")).hasContent(DATA);
            assertThatIOException()
                    .isThrownBy(() -> Files.size(verdict.resolve(data.objectPath())))
                    .withMessageContaining("Stale file handle");
            assertThat(gate.status().fetches().failed()).isZero();
            assertThatThrownBy(() -> Files.createFile(node.resolve("gate/fetch/00/x")))
                    .hasMessageContaining("Read-only file system");
            assertThat(node.resolve("gate/fetch/ff")).isEmptyDirectory();
            assertThat(node.resolve("gate/fetch/fg")).doesNotExist();
        }
    }

    @Test
    void stopsWhenToldAndOnTermination() throws Exception {
        try (RunningGate gate = startGate()) {
            gate.call(GateOperations.STOP);
            assertThat(gate.exitCode()).isZero();
            assertGone(gate);
        }
        try (RunningGate gate = startGate()) {
            gate.terminate();
            assertThat(gate.exitCode()).isEqualTo(143);
            assertGone(gate);
        }
    }

    @Test
    void leavesNoMountWhenItIsTerminatedWhileItStarts() throws Exception {
        try (RunningGate gate = RunningGate.launch(node, registry.address())) {
            Wait.until("the mount", () -> !mounts().isEmpty());
            gate.terminate();
            assertThat(gate.exitCode()).isEqualTo(143);
            assertGone(gate);
        }
    }

    @Test
    void anObjectOnItsWayHoldsNoOtherOfItsShardUp() throws Exception {
        String text = "";
        Digest neighbour = other;
        for (int i = 0; !neighbour.hex().startsWith(data.hex().substring(0, 2)); i++) {
            text = "%022d\n".formatted(i);
            neighbour = Digest.of(text.getBytes(UTF_8));
        }
        registry.add(text);
        files = new RootFs(node, Map.of("data", data, "neighbour", neighbour), 23);
        CountDownLatch slow = registry.hold(data);
        try (RunningGate gate = startGate("--fetch-timeout", "300s");
                ExecutorService readers = Executors.newCachedThreadPool()) {
            Path root = files.mount();
            try {
                Future<String> first = readers.submit(() -> Files.readString(root.resolve("data")));
                Wait.until("a waiting look-up", () -> waiting(gate) == 1);
                Future<String> second = readers.submit(() -> Files.readString(root.resolve("neighbour")));
                assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(text);
                assertThat(first).isNotDone();
                slow.countDown();
                assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(DATA);
            } finally {
                slow.countDown();
            }
        }
    }

    @Test
    void aWaitingReaderCanBeKilledAndIsNotDisturbedByOtherSignals() throws Exception {
        CountDownLatch slow = registry.hold(data);
        CountDownLatch never = registry.hold(other);
        try (RunningGate gate = startGate("--fetch-timeout", "300s")) {
            Path root = files.mount();
            String script = "trap 'true' USR1; exec 3< " + root.resolve("data") + " && cat <&3";
            Process patient = new ProcessBuilder("bash", "-c", script).start();
            Process doomed = new ProcessBuilder("cat", root.resolve("other").toString()).start();
            try {
                Wait.until("two waiting look-ups", () -> waiting(gate) == 2);
                doomed.destroyForcibly();
                assertThat(doomed.waitFor(60, TimeUnit.SECONDS)).isTrue();
                long before = gate.status().callbacks();
                new ProcessBuilder("kill", "-USR1", Long.toString(patient.pid()))
                        .start()
                        .waitFor();
                Wait.until("the signal at the gate", () -> callbacks(gate) > before);
                assertThat(patient.isAlive()).isTrue();
                slow.countDown();
                assertThat(new String(patient.getInputStream().readAllBytes(), UTF_8))
                        .isEqualTo(DATA);
            } finally {
                slow.countDown();
                never.countDown();
                doomed.destroyForcibly();
                patient.destroyForcibly();
            }
        }
    }

    @Test
    void aSuccessorGoesOnWithTheMountsOfAKilledGate() throws Exception {
        CountDownLatch slow = registry.hold(data);
        try (RunningGate first = startGate("--fetch-timeout", "300s");
                ExecutorService readers = Executors.newCachedThreadPool()) {
            Path root = files.mount();
            GateStatus.Connection connection = first.status().connection();
            assumeThat(connection.resends())
                    .as("Linux 6.9 sends requests again")
                    .isTrue();
            try (FuseConnection kept = FuseConnection.of(first.pid(), connection.descriptor())) {
                Future<String> blocked = readers.submit(() -> Files.readString(root.resolve("data")));
                Wait.until("a waiting look-up", () -> waiting(first) == 1);
                Process doomed = new ProcessBuilder("cat", root.resolve("data").toString()).start();
                first.signal("STOP");
                Future<String> unread = readers.submit(() -> Files.readString(root.resolve("other")));
                first.kill();
                long killed = System.nanoTime();
                String holder = ProcessHandle.current().pid() + ":" + kept.descriptor();
                try (RunningGate second = startGate("--connection", holder, "--fetch-timeout", "300s")) {
                    assertThat(unread.get(60, TimeUnit.SECONDS)).isEqualTo(OTHER);
                    slow.countDown();
                    assertThat(blocked.get(60, TimeUnit.SECONDS)).isEqualTo(DATA);
                    reportPause(Duration.ofNanos(System.nanoTime() - killed));
                    assertThat(doomed.waitFor(60, TimeUnit.SECONDS)).isTrue();
                    assertThat(files.mount().resolve("script")).hasContent(SCRIPT);
                    assertThat(second.status().connection().resends()).isTrue();
                    assertThat(MountTable.read().below(node.resolve("gate"))).hasSize(1);
                }
            } finally {
                slow.countDown();
            }
        }
    }

    /** For decision 23, which has the figures. */
    private static void reportPause(Duration pause) {
        System.getLogger(GateIT.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        "readers waited " + pause.toMillis() + " ms from the kill to the content");
    }

    @Test
    void aRetiredGateServesItsContainersAndEndsWithTheLast() throws Exception {
        try (RunningGate old = startGate()) {
            Path root = files.mount();
            old.call(GateOperations.RETIRE);
            try (RunningGate next = startGate()) {
                assertThat(root.resolve("data")).hasContent(DATA);
                assertThat(next.status().requests()).isZero();
                Mounts.unmount(root);
                assertThat(old.exitCode()).isZero();
                assertThat(files.mount().resolve("other")).hasContent(OTHER);
                assertThat(next.status().requests()).isEqualTo(1);
            }
        }
    }

    @Test
    void aForeignMountIsLeftAlone() throws Exception {
        Path mount = Files.createDirectories(node.resolve("gate"));
        Mounts.mount("none", mount, "tmpfs", 0, "size=64k");
        try (RunningGate gate = RunningGate.launch(node, registry.address())) {
            assertThat(gate.exitCode()).isEqualTo(1);
            assertThat(gate.log()).contains("tmpfs is mounted at " + mount);
        }
        assertThat(MountTable.read().below(mount)).hasSize(1);
    }

    private RunningGate startGate(String... options) throws IOException {
        return RunningGate.start(node, registry.address(), options);
    }

    private static long waiting(RunningGate gate) {
        try {
            return gate.status().fetches().waiting();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static long callbacks(RunningGate gate) {
        try {
            return gate.status().callbacks();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void assertGone(RunningGate gate) throws IOException {
        assertThat(mounts()).isEmpty();
        assertThat(gate.control()).doesNotExist();
    }

    private List<MountTable.Entry> mounts() throws IOException {
        return MountTable.read().below(node.resolve("gate"));
    }

    private static void assertUnreadable(Path file) {
        assertThatIOException().isThrownBy(() -> Files.readAllBytes(file)).withMessageContaining("Input/output error");
    }
}
