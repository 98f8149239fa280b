package io.faasimage.node.starts.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.MountTable;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.StoredFrames;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real overlays and processes in namespaces of their own; needs root. */
class StartTracerIT {
    private static final ChainId CHAIN = chain("image");
    private static final int PORT = 9400;
    private static final TraceLimits LIMITS = new TraceLimits(
            Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(300), Duration.ofSeconds(30), 1000);
    private static final TraceRequest UNTIL_QUIET = new TraceRequest(Optional.empty(), LIMITS);

    @TempDir
    Path directory;

    private final BlockingQueue<Trace> traces = new LinkedBlockingQueue<>();
    private final Events events = new Events(100, InstantSource.system());
    private final List<Process> scanners = new ArrayList<>();
    private Rootfs rootfs;

    @BeforeEach
    void makeImage() throws IOException {
        rootfs = new Rootfs(directory)
                .script(
                        "app/run",
                        "cat /data/one",
                        "stat /data/unread",
                        "ls -l /data /data/folder",
                        "cat '/data/zwei ä'",
                        "cat /data/one",
                        "echo made > /tmp/made",
                        "cat /tmp/made",
                        "cat /data/three")
                .file("data/one", "1")
                .file("data/zwei ä", "2")
                .file("data/three", "3")
                .file("data/unread", "4");
    }

    @AfterEach
    void cleanUp() throws IOException {
        for (Process scanner : scanners) {
            scanner.destroyForcibly();
            scanner.onExit().join();
        }
        rootfs.close();
    }

    private static ChainId chain(String name) {
        return ChainId.ofBase(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    private StartTracer tracer(TracePolicy policy) throws IOException {
        StartTracerConfig config = new StartTracerConfig(rootfs.state(), 8, 8, Duration.ofMinutes(1), true);
        return new StartTracer(config, policy, (key, trace) -> traces.add(trace), events);
    }

    private Path begin(StartTracer tracer) throws IOException {
        return tracer.begin("ns/1/container", CHAIN, rootfs.overlayOptions()).orElseThrow();
    }

    private Trace awaitTrace() throws InterruptedException, IOException {
        Trace trace = traces.poll(40, TimeUnit.SECONDS);
        assertThat(trace)
                .as("trace; events %s; output %s", events.recent(), rootfs.output())
                .isNotNull();
        return Objects.requireNonNull(trace);
    }

    private static List<String> paths(Trace trace) {
        return trace.entries().stream().map(e -> e.path().display()).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFilesWhoseContentWasOpenedInOrder(boolean pivot) throws Exception {
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(UNTIL_QUIET))) {
            Path root = begin(tracer);
            Process process = rootfs.run(root, "/app/run", pivot);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(rootfs.output()).isZero();
            Trace trace = awaitTrace();
            assertThat(paths(trace)).containsExactly("/app/run", "/data/one", "/data/zwei ä", "/data/three");
            assertThat(trace.chain()).isEqualTo(CHAIN);
            assertThat(trace.runs()).isEqualTo(1);
            assertThat(trace.entries()).extracting(TraceEntry::rankSum).containsExactly(0L, 1L, 2L, 3L);
            assertThat(trace.entries())
                    .extracting(TraceEntry::firstAccessMicros)
                    .isSorted()
                    .first()
                    .isEqualTo(0L);
            tracer.removed("ns/1/container");
            assertNothingMounted();
        }
    }

    @Test
    void whatOtherProgramsOfTheMachineReadIsNotInTheTrace() throws Exception {
        rootfs.script(
                        "app/run",
                        "cat /data/one",
                        "cat /data/three",
                        "echo started",
                        "while [ ! -e /tmp/end ]; do :; done")
                .file("etc/passwd", "root:x:0:0::/:/bin/sh");
        TraceLimits patient = new TraceLimits(
                Duration.ofMinutes(1), Duration.ofMinutes(1), LIMITS.settle(), LIMITS.startWithin(), LIMITS.files());
        try (StartTracer tracer = tracer((k, c) -> Optional.of(new TraceRequest(Optional.empty(), patient)))) {
            Path root = begin(tracer);
            scan(root.resolve("data/zwei ä"), root.resolve("etc/passwd"));
            Process process = rootfs.run(root, "/app/run", true);
            Wait.until(
                    Duration.ofSeconds(30),
                    "the container",
                    () -> rootfs.output().contains("started"));
            Path inside = Path.of("/proc/" + process.pid() + "/root");
            scan(root.resolve("data/unread"), inside.resolve("data/zwei ä"));
            Files.createFile(inside.resolve("tmp/end"));
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            tracer.removed("ns/1/container");
            assertThat(paths(awaitTrace())).containsExactly("/etc/passwd", "/app/run", "/data/one", "/data/three");
        }
    }

    /** Reads files and lives on, as a scanner does. */
    private void scan(Path... files) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh", "-c", "for f; do while read -r line; do :; done <\"$f\"; done; echo done; read -r end", "scan"));
        for (Path file : files) {
            command.add(file.toString());
        }
        Process scanner = new ProcessBuilder(command).start();
        scanners.add(scanner);
        assertThat(scanner.inputReader().readLine()).isEqualTo("done");
    }

    private void assertNothingMounted() throws IOException {
        assertThat(MountTable.read().below(rootfs.state())).isEmpty();
        try (var files = Files.list(rootfs.state())) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aProbeInTheContainersNetworkEndsTheTrace() throws Exception {
        String server = System.getProperty("java.home") + "/bin/jwebserver";
        rootfs.script("app/run", "cat /data/one", "exec " + server + " -b 127.0.0.1 -p " + PORT + " -d /data");
        TraceLimits soonQuiet = new TraceLimits(
                Duration.ofMillis(1), LIMITS.limit(), LIMITS.settle(), LIMITS.startWithin(), LIMITS.files());
        TraceRequest request = new TraceRequest(Optional.of(new Readiness(PORT, "/three")), soonQuiet);
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(request))) {
            Path root = begin(tracer);
            rootfs.run(root, "/app/run", true, "-n");
            assertThat(paths(awaitTrace())).containsExactly("/app/run", "/data/one", "/data/three");
            assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("the function was ready"));
        }
    }

    @Test
    void theLimitEndsATraceThatIsNeverReady() throws Exception {
        TraceLimits shortLimit = new TraceLimits(
                LIMITS.quiet(), Duration.ofMillis(500), LIMITS.settle(), LIMITS.startWithin(), LIMITS.files());
        TraceRequest request = new TraceRequest(Optional.of(new Readiness(PORT, "/")), shortLimit);
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(request))) {
            rootfs.run(begin(tracer), "/app/run", false);
            assertThat(paths(awaitTrace())).startsWith("/app/run");
            assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("the limit of"));
        }
    }

    @Test
    void removalEndsTheTraceAndKeepsItsResult() throws Exception {
        TraceLimits patient = new TraceLimits(
                Duration.ofMinutes(1), Duration.ofMinutes(1), LIMITS.settle(), LIMITS.startWithin(), LIMITS.files());
        try (StartTracer tracer = tracer((k, c) -> Optional.of(new TraceRequest(Optional.empty(), patient)))) {
            Process process = rootfs.run(begin(tracer), "/app/run", false);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            tracer.removed("ns/1/container");
            assertThat(traces).hasSize(1);
            assertThat(paths(awaitTrace())).hasSize(4);
            assertNothingMounted();
        }
    }

    @Test
    void theMountSurvivesARestart() throws Exception {
        Path root;
        try (StartTracer first = tracer((key, chain) -> Optional.of(UNTIL_QUIET))) {
            root = begin(first);
        }
        Files.createDirectories(rootfs.state().resolve("77/rootfs")); // cut off before it was mounted
        try (StartTracer second = tracer((key, chain) -> Optional.of(UNTIL_QUIET))) {
            assertThat(second.mounted("ns/1/container")).contains(root);
            assertThat(Files.readString(root.resolve("data/one"))).isEqualTo("1");
            assertThat(rootfs.state().resolve("77")).doesNotExist();
            second.removed("ns/1/container");
            assertThat(second.mounted("ns/1/container")).isEmpty();
            assertNothingMounted();
        }
        assertThat(traces).isEmpty();
    }

    @Test
    void aMountInUseIsTakenAwayAtRemoval() throws Exception {
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(UNTIL_QUIET));
                var _ = Files.newInputStream(begin(tracer).resolve("data/one"))) {
            tracer.removed("ns/1/container");
            assertNothingMounted();
        }
    }

    @Test
    void unwantedStartsAndSecondStartsOfAnImageAreNotTraced() throws Exception {
        try (StartTracer tracer =
                tracer((key, chain) -> chain.equals(CHAIN) ? Optional.of(UNTIL_QUIET) : Optional.empty())) {
            assertThat(tracer.begin("other", chain("unwanted"), rootfs.overlayOptions()))
                    .isEmpty();
            begin(tracer);
            assertThat(tracer.begin("second", CHAIN, rootfs.overlayOptions())).isEmpty();
            assertThat(tracer.mounted("second")).isEmpty();
            tracer.removed("ns/1/container");
            assertNothingMounted();
        }
    }

    @Test
    void anArmedStartIsTracedWhateverThePolicySays() throws Exception {
        try (StartTracer tracer = tracer((key, chain) -> Optional.empty())) {
            CompletableFuture<Trace> trace = tracer.arm(CHAIN, UNTIL_QUIET);
            assertThat(tracer.arm(CHAIN, UNTIL_QUIET)).isSameAs(trace);
            rootfs.run(begin(tracer), "/app/run", false);
            assertThat(trace.get(40, TimeUnit.SECONDS)).isEqualTo(awaitTrace());
            tracer.removed("ns/1/container");
            assertThat(tracer.begin("next", CHAIN, rootfs.overlayOptions())).isEmpty();
        }
    }

    @Test
    void aStubIsTracedUnderItsOwnName() throws Exception {
        stub(rootfs.lower().resolve("data/three"), 1, "/ab/cd");
        Path objects = Files.createDirectories(directory.toRealPath().resolve("objects"));
        Files.writeString(Files.createDirectory(objects.resolve("ab")).resolve("cd"), "5");
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(UNTIL_QUIET))) {
            Path root = tracer.begin("ns/1/container", CHAIN, planned(objects)).orElseThrow();
            rootfs.run(root, "/app/run", true);
            assertThat(paths(awaitTrace())).containsExactly("/app/run", "/data/one", "/data/zwei ä", "/data/three");
            assertThat(rootfs.output()).endsWith("5");
        }
    }

    @Test
    void whichPartsOfALargeObjectWereRead() throws Exception {
        byte[] content = new byte[(5 << 20) + 7];
        new Random(1).nextBytes(content);
        Digest digest = Digest.of(content);
        StoredFrames stored = StoredFrames.of(content);
        rootfs.script(
                        "app/run",
                        "cat /data/one",
                        "dd if=/data/large bs=4096 skip=100 count=2 2>&1 >/tmp/part",
                        "tail -c 7 /data/large | cmp - /data/end && echo same")
                .file("data/end", "")
                .file("data/large", "");
        Files.write(
                rootfs.lower().resolve("data/end"), Arrays.copyOfRange(content, content.length - 7, content.length));
        stub(rootfs.lower().resolve("data/large"), content.length, "/" + digest.objectPath());
        StartTracerConfig config = new StartTracerConfig(rootfs.state(), 8, 8, Duration.ofMinutes(1), true);
        try (Packs packs = Packs.open(directory.toRealPath().resolve("packs"), Optional.empty())) {
            packs.serve((pack, frames) -> bring(pack, frames, stored));
            Pack pack = packs.add("one", List.of(new PackedObject(digest, content.length, stored.frames())));
            try (StartTracer tracer = new StartTracer(
                    config,
                    (k, c) -> Optional.of(UNTIL_QUIET),
                    (k, trace) -> traces.add(trace),
                    StartEvents.NONE,
                    new LargeInPack(packs, pack),
                    events)) {
                Path root = tracer.begin("ns/1/container", CHAIN, planned(pack.point()))
                        .orElseThrow();
                rootfs.run(root, "/app/run", true);
                Trace trace = awaitTrace();
                assertThat(rootfs.output()).endsWith("same\n");
                assertThat(entry(trace, "/data/one").rangeRuns()).isZero();
                TraceEntry read = entry(trace, "/data/large");
                assertThat(read.rangeRuns()).isEqualTo(1);
                assertThat(read.ranges())
                        .as("whole frames")
                        .containsExactly(
                                new ByteRange(6 * ObjectFrames.CONTENT_BYTES, ObjectFrames.CONTENT_BYTES),
                                new ByteRange(5 << 20, 7));
                assertThat(pack.presentFrames())
                        .as("only what was read has come")
                        .isEqualTo(2);
                tracer.removed("ns/1/container");
                assertNothingMounted();
            }
        }
    }

    private static CompletableFuture<Void> bring(Pack pack, IndexRange frames, StoredFrames stored) {
        try {
            for (int frame = frames.from(); frame < frames.to(); frame++) {
                pack.put(frame, ByteBuffer.wrap(stored.frame(frame)), Digest.newSha256());
            }
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private record LargeInPack(Packs packs, Pack pack) implements LargeObjects {
        @Override
        public Set<Pack> of(ChainId chain) {
            return Set.of(pack);
        }

        @Override
        public void mount(Pack one, Path point) throws IOException {
            packs.mountAgain(one, point);
        }
    }

    private static TraceEntry entry(Trace trace, String path) {
        return trace.entries().stream()
                .filter(e -> e.path().display().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static void stub(Path file, long size, String redirect) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0).write(ByteBuffer.allocate(1), size - 1);
        }
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        ExtendedAttributes.set(path, "trusted.overlay.metacopy", new byte[0]);
        ExtendedAttributes.set(path, "trusted.overlay.redirect", redirect.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> planned(Path objects) {
        List<String> planned = new ArrayList<>(rootfs.overlayOptions());
        planned.replaceAll(o -> o.startsWith("lowerdir=") ? o + "::" + objects : o);
        planned.addAll(List.of("metacopy=on", "redirect_dir=on"));
        return planned;
    }

    @Test
    void aContainerThatNeverStartsGivesAReason() throws Exception {
        TraceLimits impatient = new TraceLimits(
                LIMITS.quiet(), LIMITS.limit(), LIMITS.settle(), Duration.ofMillis(100), LIMITS.files());
        try (StartTracer tracer = tracer((key, chain) -> Optional.empty())) {
            CompletableFuture<Trace> trace = tracer.arm(CHAIN, new TraceRequest(Optional.empty(), impatient));
            Path root = begin(tracer);
            assertThatThrownBy(() -> trace.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TraceDiscardedException.class)
                    .hasMessageContaining("no program of the image was started");
            assertThat(tracer.mounted("ns/1/container")).contains(root);
            assertThat(traces).isEmpty();
        }
    }

    @Test
    void tooManyFilesGiveAReason() throws Exception {
        TraceLimits few = new TraceLimits(LIMITS.quiet(), LIMITS.limit(), LIMITS.settle(), LIMITS.startWithin(), 2);
        try (StartTracer tracer = tracer((key, chain) -> Optional.empty())) {
            CompletableFuture<Trace> trace = tracer.arm(CHAIN, new TraceRequest(Optional.empty(), few));
            rootfs.run(begin(tracer), "/app/run", false);
            assertThatThrownBy(() -> trace.get(20, TimeUnit.SECONDS)).hasMessageContaining("more than 2 files");
        }
    }

    @Test
    void aPolicyThatFailsDoesNotHoldUpTheStart() throws Exception {
        TracePolicy broken = (key, chain) -> {
            throw new IllegalStateException("no answer");
        };
        try (StartTracer tracer = tracer(broken)) {
            assertThat(tracer.begin("key", CHAIN, rootfs.overlayOptions())).isEmpty();
            assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("no answer"));
        }
    }

    @Test
    void aRefusedMountIsAnErrorThatLeavesNothing() throws Exception {
        try (StartTracer tracer = tracer((key, chain) -> Optional.of(UNTIL_QUIET))) {
            assertThatThrownBy(() -> tracer.begin("key", CHAIN, List.of("lowerdir=/no/such/directory")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("overlay at");
            assertThat(tracer.mounted("key")).isEmpty();
            assertNothingMounted();
            begin(tracer); // the image is not taken for being traced
        }
    }
}
