package io.faasimage.registry.images.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.oci.HostRules;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.images.prediction.StartEvidence;
import java.io.FileNotFoundException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** Images that are refactored in children, which end well or badly. */
@Timeout(120)
class ChildEngineTest {
    private static final Map<String, byte[]> FILES =
            Map.of("app/read.txt", bytes("read at the start"), "app/not.txt", bytes("not read at the start"));

    @TempDir
    Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final ChildEngine engine =
            new ChildEngine(SourceOptions.defaults(), HostRules.OPEN, DataSize.ofMegabytes(64), 1);

    @AfterEach
    void noChildIsLeft() {
        assertThat(children()).isEmpty();
    }

    private Optional<RefactorResult> refactor(Map<String, byte[]> files, Holdings known, ProgressListener progress)
            throws Exception {
        Path job = Files.createTempDirectory(directory, "job");
        LayoutImage image = LayoutImage.write(job.resolve("image"), files);
        ImageLocation location = ImageLocation.parse("oci:" + image.directory());
        ResolvedImage resolved;
        try (ImageSource source = ImageSources.open(location, SourceOptions.defaults())) {
            resolved = source.resolve(Platform.host());
        }
        Trace trace = new Trace(image.chain(), 1, List.of(TraceEntry.whole(FilePath.ofText("app/read.txt"), 1, 0, 0)));
        return engine.refactor(
                new ChildEngine.Task(resolved, Optional.empty(), new StartEvidence.Traced(trace)),
                known,
                Files.createDirectory(job.resolve("work")),
                progress);
    }

    private final Set<ProcessHandle> others = ProcessHandle.current().children().collect(Collectors.toSet());

    /** The children that this test has started and that are there. */
    private List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> !others.contains(child) && child.isAlive())
                .toList();
    }

    @Test
    void whatAChildMakesIsAsIfTheEngineHadBeenCalled() throws Exception {
        Digest stored = Digest.of(bytes("not read at the start"));
        AtomicInteger seen = new AtomicInteger();
        RefactorResult result = refactor(
                        FILES,
                        new OneHeld(stored),
                        (_, _, _) -> seen.set(children().size()))
                .orElseThrow();
        assertThat(seen).as("children while it runs").hasValue(1);
        assertThat(result.plan().startup())
                .extracting(PlanObject::digest)
                .containsExactly(Digest.of(bytes("read at the start")));
        assertThat(result.plan().rest()).extracting(PlanObject::digest).containsExactly(stored);
        assertThat(result.locations())
                .extracting(ObjectLocation::digest)
                .containsExactly(Digest.of(bytes("read at the start")));
        assertThat(result.packs()).allSatisfy(pack -> assertThat(pack.file()).hasSize(pack.storedBytes()));
        assertThat(result.layers()).allSatisfy(layer -> assertThat(layer.file()).isNotEmptyFile());
        assertThat(result.metadataImages()).hasSize(1);
        assertThat(result.report().phases())
                .containsOnlyKeys(
                        ProgressListener.Phase.READ,
                        ProgressListener.Phase.FLATTEN,
                        ProgressListener.Phase.CLASSIFY,
                        ProgressListener.Phase.PACK);
    }

    @Test
    void aCacheThatIsNoneMakesNoDifference() throws Exception {
        Path cache = Files.writeString(directory.resolve("refactor-child.aot"), "not a cache");
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(60)));
        System.setProperty("launch.caches", directory.toString());
        try {
            assertThat(refactor(FILES, Holdings.NONE, ProgressListener.NONE)).isPresent();
        } finally {
            System.clearProperty("launch.caches");
        }
        assertThat(cache).hasContent("not a cache");
    }

    /** 15 MB of JSON, which compresses to nothing, become 100 bytes for every three. */
    @Test
    void anImageThatNeedsMoreMemoryEndsItsChildAndNamesTheOption() throws Exception {
        byte[] hostile = bytes("[" + "{},".repeat(5_000_000) + "{}]");
        assertThatThrownBy(() -> refactor(
                        Map.of("app/read.txt", bytes("read"), "app/node_modules/a/package.json", hostile),
                        Holdings.NONE,
                        ProgressListener.NONE))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContainingAll("oci:", "64 MB", "--faasimage.refactor.memory");
        assertThat(children()).isEmpty();
    }

    @Test
    void aChildThatIsKilledIsAFailureThatMayPass() {
        assertThatThrownBy(() ->
                        refactor(FILES, Holdings.NONE, (_, _, _) -> children().forEach(ProcessHandle::destroyForcibly)))
                .isInstanceOfSatisfying(
                        RefactorException.class,
                        e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContaining("was killed");
    }

    @Test
    void anInterruptEndsTheChild() {
        Thread caller = Thread.currentThread();
        assertThatThrownBy(() -> refactor(FILES, Holdings.NONE, (_, _, _) -> caller.interrupt()))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(children()).isEmpty();
    }

    @Test
    void whatFailsInTheServiceEndsTheChildAndIsThrownAsItIs() {
        IllegalStateException failure = new IllegalStateException("the database is away");
        assertThatThrownBy(() -> refactor(FILES, Holdings.NONE, (_, _, _) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(children()).isEmpty();
    }

    @Test
    void aChildEndsWithItsService() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Process child = new ProcessBuilder(
                            java.toString(), "-cp", System.getProperty("java.class.path"), ChildProgram.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (OutputStream in = child.getOutputStream()) {
                Path work = Files.createDirectories(directory.resolve("work"));
                new ChildPipe(child.getInputStream(), in)
                        .send(ServiceLinkTest.order(
                                "127.0.0.1:" + silent.getLocalPort() + "/no/answer:1", work.toString(), 1));
                silent.accept().close();
                silent.accept();
            }
            assertThat(child.waitFor()).isEqualTo(ChildProgram.SERVICE_GONE);
        }
    }

    @Test
    void aPlanOfAnotherImageIsNotTaken() throws Exception {
        RefactorResult result =
                refactor(FILES, Holdings.NONE, ProgressListener.NONE).orElseThrow();
        Path pack = result.packs().getFirst().file();
        Path work =
                Objects.requireNonNull(Objects.requireNonNull(pack.getParent()).getParent());
        assertThat(HandedResult.read(work, result.plan().image()).planDigest()).isEqualTo(result.planDigest());
        assertThatThrownBy(() -> HandedResult.read(work, Digest.of(bytes("another"))))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("another image");
        Path moved = Files.move(pack, directory.resolve("elsewhere"));
        Files.createSymbolicLink(pack, moved);
        assertThatThrownBy(() -> HandedResult.read(work, result.plan().image()))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("no file of it");
    }

    /** One object that is stored; nothing else is requested of it. */
    private record OneHeld(Digest stored) implements Holdings {
        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            return digests.contains(stored) ? Set.of(stored) : Set.of();
        }

        @Override
        public byte[] content(Digest digest) throws FileNotFoundException {
            throw new FileNotFoundException(digest.toString());
        }

        @Override
        public void copy(Digest digest, OutputStream out) throws FileNotFoundException {
            throw new FileNotFoundException(digest.toString());
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    }
}
