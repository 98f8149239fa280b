package io.faasimage.node.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.snapshot.SnapshotException.Reason;
import io.faasimage.node.trace.StartTracing;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotterTest {
    private static final ChainId BASE = FakePlans.chain("base");
    private static final ChainId TOP = FakePlans.chain("top");

    private static final int DEEP = 300;

    private final FakePlans plans = new FakePlans();
    private final FakeTracing tracing = new FakeTracing();

    @TempDir
    Path root;

    private Snapshotter snapshotter;

    @BeforeEach
    void open() throws IOException {
        snapshotter = new Snapshotter(root, plans, tracing, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        snapshotter.close();
    }

    @Test
    void aPlannedLayerIsClaimedAndListedForContainerd() throws IOException {
        plans.planned.addAll(List.of(BASE, TOP));

        String base = claim("", BASE);
        String top = claim(base, TOP);

        Snapshot listed = snapshotter.stat(top);
        assertThat(listed.kind()).isEqualTo(SnapshotKind.COMMITTED);
        assertThat(listed.parent()).isEqualTo(base);
        assertThat(listed.labels()).containsEntry(Snapshot.REF_LABEL, TOP.toString());
        assertThat(SnapshotFilter.anyOf(
                                List.of("labels.\"containerd.io/snapshot.ref\"==" + TOP + ",parent==\"" + base + "\""))
                        .test(listed))
                .isTrue();
        assertThat(plans.claimed).containsExactly(BASE, TOP);
    }

    @Test
    void aRecordThatCannotBeReadDoesNotKeepTheOthersFromBeingServed() throws IOException {
        ordinary("ns/1/extract-1 x", "", "layer-a");
        ordinary("ns/2/extract-1 x", "", "layer-b");
        long id = snapshotter.stat("layer-b").id();
        snapshotter.close();
        try (MVStore file = MVStore.open(root.resolve("snapshots.db").toString())) {
            MVMap<String, byte[]> records = file.openMap(
                    "snapshots",
                    new MVMap.Builder<String, byte[]>()
                            .keyType(StringDataType.INSTANCE)
                            .valueType(ByteArrayDataType.INSTANCE));
            records.put("layer-b", new byte[] {99});
        }
        open();
        snapshotter.cleanup();
        assertThat(snapshotter.stat("layer-a").key()).isEqualTo("layer-a");
        assertThatThrownBy(() -> snapshotter.stat("layer-b")).isInstanceOf(SnapshotException.class);
        assertThat(root.resolve("snapshots").resolve(Long.toString(id))).isDirectory();
    }

    @Test
    void claimingTwiceGivesTheSameSnapshotAndAnotherParentAnother() throws IOException {
        plans.planned.add(TOP);
        ordinary("ns/1/extract-1 x", "", "layer-a");
        ordinary("ns/2/extract-1 x", "", "layer-b");

        assertThat(claim("layer-a", TOP)).isEqualTo(claim("layer-a", TOP)).isNotEqualTo(claim("layer-b", TOP));
    }

    @Test
    void twoPullsAtOnceClaimOneSnapshot() throws Exception {
        plans.planned.add(BASE);
        List<Callable<String>> pulls = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            pulls.add(() -> claim("", BASE));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> name : threads.invokeAll(pulls)) {
                assertThat(name.get()).isEqualTo(BASE.toString());
            }
        }
        assertThat(snapshotter.list()).hasSize(1);
    }

    @Test
    void withoutLabelAPlannedChainIsOrdinary() throws IOException {
        plans.planned.add(BASE);

        List<Mount> mounts = snapshotter.prepare("ns/1/extract-1 " + BASE, "", Map.of());

        assertThat(mounts).hasSize(1).first().extracting(Mount::type).isEqualTo("bind");
        assertThat(plans.claimed).isEmpty();
    }

    @Test
    void aContainerOnAPlanGetsItsLayersWithMetacopy() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);

        Mount mount = snapshotter.prepare("ns/2/container", top, Map.of()).getFirst();

        assertThat(mount.type()).isEqualTo("overlay");
        assertThat(mount.options())
                .contains("lowerdir=/usr", "metacopy=on", "redirect_dir=on")
                .anyMatch(option -> option.startsWith("upperdir="));
        assertThat(snapshotter.mounts("ns/2/container")).containsExactly(mount);
        assertThat(snapshotter.view("ns/3/view", top, Map.of()).getFirst().options())
                .contains("lowerdir=/usr", "metacopy=on")
                .noneMatch(option -> option.startsWith("upperdir="));
    }

    @Test
    void ordinaryLayersOnAPlanUseItsNestedMount() throws IOException {
        plans.planned.add(BASE);
        String base = claim("", BASE);

        Mount extraction = snapshotter
                .prepare("ns/2/extract-9 " + TOP, base, Map.of(Snapshot.REF_LABEL, TOP.toString()))
                .getFirst();
        snapshotter.commit("ns/3/" + TOP, "ns/2/extract-9 " + TOP, "", Map.of());
        Mount container = snapshotter.prepare("ns/4/c", "ns/3/" + TOP, Map.of()).getFirst();

        assertThat(extraction.options()).contains("lowerdir=/tmp").doesNotContain("metacopy=on");
        assertThat(container.options())
                .anyMatch(option -> option.matches("lowerdir=.*/snapshots/\\d+/fs:/tmp"))
                .doesNotContain("metacopy=on");
        assertThat(snapshotter.stat("ns/3/" + TOP).chain()).contains(TOP);
    }

    @Test
    void aRootFileSystemThatCannotBeMountedLeavesNoSnapshot() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);
        plans.broken.add(TOP);

        assertRefused(Reason.UNAVAILABLE, () -> snapshotter.prepare("c", top, Map.of()))
                .hasMessageContaining("no metadata image");
        assertRefused(Reason.NOT_FOUND, () -> snapshotter.stat("c"));
    }

    @Test
    void aChainIsReleasedWithItsLastSnapshot() throws IOException {
        plans.planned.add(TOP);
        ordinary("ns/1/extract-1 x", "", "layer-a");
        String first = claim("", TOP);
        String second = claim("layer-a", TOP);

        snapshotter.remove(first);
        assertThat(plans.released).isEmpty();
        snapshotter.remove(second);
        assertThat(plans.released).containsExactly(TOP);
    }

    @Test
    void aTracedStartIsABindMountUntilItIsRemoved() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);
        tracing.directory = Optional.of(Path.of("/traced"));

        Mount bind = Mount.bind("/traced", true);
        assertThat(snapshotter.prepare("ns/1/c", top, Map.of())).containsExactly(bind);
        assertThat(snapshotter.mounts("ns/1/c")).containsExactly(bind);
        assertThat(tracing.begun).containsExactly("ns/1/c " + TOP);
        snapshotter.remove("ns/1/c");
        assertThat(tracing.ended).containsExactly("ns/1/c");

        snapshotter.view("ns/2/v", top, Map.of());
        snapshotter.prepare("ns/3/extract-1 x", top, Map.of());
        assertThat(tracing.begun).hasSize(1);
    }

    @Test
    void theStartOfADockerContainerIsTracedAndNotItsInitLayer() throws IOException {
        ordinary("ns/1/extract-1 " + TOP, "", "ns/2/" + TOP);
        tracing.directory = Optional.of(Path.of("/traced"));
        String container = "0123456789abcdef".repeat(4);

        snapshotter.prepare("moby/3/" + container + "-init-key", "ns/2/" + TOP, Map.of());
        snapshotter.commit("moby/4/" + container + "-init", "moby/3/" + container + "-init-key", "", Map.of());
        snapshotter.prepare("moby/5/" + container, "moby/4/" + container + "-init", Map.of());

        assertThat(tracing.begun).containsExactly("moby/5/" + container + " " + TOP);
    }

    @Test
    void aStartThatCannotBeTracedGoesOn() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);
        tracing.fails = true;

        assertThat(snapshotter.prepare("ns/1/c", top, Map.of()).getFirst().type())
                .isEqualTo("overlay");
    }

    @Test
    void refusesAsContainerdsOwnDoes() throws IOException {
        ordinary("a", "", "layer");
        snapshotter.prepare("b", "layer", Map.of());

        assertRefused(Reason.ALREADY_EXISTS, () -> snapshotter.prepare("b", "", Map.of()));
        assertRefused(Reason.NOT_FOUND, () -> snapshotter.prepare("c", "none", Map.of()));
        assertRefused(Reason.INVALID_ARGUMENT, () -> snapshotter.prepare("c", "b", Map.of()));
        assertRefused(Reason.INVALID_ARGUMENT, () -> snapshotter.prepare("", "", Map.of()));
        assertRefused(Reason.ALREADY_EXISTS, () -> snapshotter.commit("layer", "b", "", Map.of()));
        assertRefused(Reason.INVALID_ARGUMENT, () -> snapshotter.commit("n", "b", "other", Map.of()));
        assertRefused(Reason.FAILED_PRECONDITION, () -> snapshotter.commit("n", "layer", "", Map.of()));
        assertRefused(Reason.FAILED_PRECONDITION, () -> snapshotter.remove("layer"));
        assertRefused(Reason.FAILED_PRECONDITION, () -> snapshotter.mounts("layer"));
        assertRefused(Reason.NOT_FOUND, () -> snapshotter.remove("none"));
        assertThat(snapshotter.list()).hasSize(2);
    }

    @Test
    void stateSurvivesARestartAndRubbishDoesNot() throws IOException {
        ordinary("a", "", "layer");
        snapshotter.prepare("removed", "layer", Map.of());
        snapshotter.remove("removed");
        snapshotter.close();
        Path unrecorded = Files.createDirectories(root.resolve("snapshots/99/fs/deep"));
        Files.writeString(unrecorded.resolve("ein Name mit ü"), "x");

        open();

        assertThat(snapshotter.list()).extracting(Snapshot::key).containsExactly("layer");
        try (var left = Files.list(root.resolve("snapshots"))) {
            assertThat(left).extracting(p -> p.getFileName().toString()).containsExactly("1");
        }
        snapshotter.prepare("next", "layer", Map.of());
        assertThat(snapshotter.stat("next").id()).isGreaterThan(2);
    }

    @Test
    void aTraceEndsBeforeItsSnapshotIsForgotten() throws IOException {
        List<String> recorded = new ArrayList<>();
        tracing.onRemoved = key -> recorded.add(snapshotter.stat(key).key());
        snapshotter.prepare("c", "", Map.of());
        snapshotter.remove("c");
        assertThat(recorded).containsExactly("c");
    }

    @Test
    void aSecondProcessOnTheSameRootIsRefused() {
        assertThatThrownBy(() -> new Snapshotter(root, plans, tracing, Clock.systemUTC()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another node-manager");
    }

    @Test
    void aNewLayerTakesTheModeOfItsParentsRoot() throws IOException {
        snapshotter.prepare("a", "", Map.of());
        Path upper = root.resolve("snapshots/1/fs");
        Files.setAttribute(upper, "unix:mode", 01711);
        snapshotter.commit("layer", "a", "", Map.of());

        snapshotter.prepare("b", "layer", Map.of());

        assertThat((int) Files.getAttribute(root.resolve("snapshots/2/fs"), "unix:mode") & 07777)
                .isEqualTo(01711);
    }

    @Test
    void usageCountsHardLinksOnce() throws IOException {
        snapshotter.prepare("a", "", Map.of());
        Path upper = root.resolve("snapshots/1/fs");
        Path file = Files.write(upper.resolve("file"), new byte[5000]);
        Files.createLink(upper.resolve("link"), file);
        Files.createSymbolicLink(upper.resolve("symbolic"), file);

        Usage active = snapshotter.usage("a");
        snapshotter.commit("layer", "a", "", Map.of());

        assertThat(active).isEqualTo(new Usage(4096 + 8192, 3));
        assertThat(snapshotter.usage("layer")).isEqualTo(active);
    }

    @Test
    void usageCountsBlocksAndNoHoles() throws IOException {
        snapshotter.prepare("a", "", Map.of());
        Path directory = root.resolve("snapshots/1/fs");
        try (RandomAccessFile sparse =
                new RandomAccessFile(directory.resolve("lastlog").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        Files.write(directory.resolve("full"), new byte[300_000]);

        assertThat(snapshotter.usage("a").bytes()).isBetween(300_000L, 400_000L);
    }

    @Test
    void pathsLongerThanTheKernelTakesAtOnceAreCountedCommittedAndRemoved() throws Exception {
        snapshotter.prepare("a", "", Map.of());
        snapshotter.prepare("b", "", Map.of());
        for (int id = 1; id <= 2; id++) {
            deepTree(root.resolve("snapshots/" + id + "/fs"));
        }

        Usage usage = snapshotter.usage("a");
        assertThat(usage.bytes()).isGreaterThan(100_000);
        assertThat(usage.inodes()).isEqualTo(3 + DEEP);
        snapshotter.commit("layer", "a", "", Map.of());
        assertThat(snapshotter.usage("layer")).isEqualTo(usage);
        snapshotter.remove("layer");
        snapshotter.remove("b");
        snapshotter.cleanup();

        assertThat(root.resolve("snapshots")).isEmptyDirectory();
    }

    /** Directories with 200 letters each, a file in the last, and a file beside the first. */
    private static void deepTree(Path directory) throws Exception {
        String script = """
                import os
                open("beside", "w").write("x")
                for i in range(%d):
                    os.mkdir("a" * 200)
                    os.chdir("a" * 200)
                open("big", "wb").write(bytes(100000))
                """.formatted(DEEP);
        Command.Result made =
                Command.attempt(Duration.ofMinutes(1), Map.of(), directory, List.of("python3", "-c", script));
        assertThat(made.status()).as(made.output()).isZero();
    }

    @Test
    void aContainerWhoseNameBeginsLikeALayersKeyIsAContainer() throws IOException {
        plans.planned.add(BASE);
        String base = claim("", BASE);
        snapshotter.prepare("ns/9/extract-reports", base, Map.of());
        assertThat(tracing.begun).containsExactly("ns/9/extract-reports " + BASE);
    }

    @Test
    void whatAClientIsAboutToCompareIsFetchedAsAWhole() throws IOException {
        plans.planned.add(BASE);
        String base = claim("", BASE);
        snapshotter.view("ns/8/image mounted somewhere", base, Map.of());
        assertThat(plans.readWhole).isEmpty();
        snapshotter.view("ns/9/" + BASE + "-parent-view-1234-abcd", base, Map.of());
        assertThat(plans.readWhole).containsExactly(BASE);
    }

    @Test
    void aPodsAnnotationOfTheLabelsNameClaimsNoLayer() throws IOException {
        plans.planned.add(BASE);
        snapshotter.prepare("ns/1/0badc0ffee", "", Map.of(Snapshot.REF_LABEL, BASE.toString()));
        assertThat(snapshotter.list()).singleElement().satisfies(sandbox -> {
            assertThat(sandbox.remote()).isFalse();
            assertThat(sandbox.chain()).isEmpty();
        });
    }

    private String claim(String parent, ChainId chain) throws IOException {
        assertRefused(
                Reason.ALREADY_EXISTS,
                () -> snapshotter.prepare(
                        "ns/7/extract-1 " + chain, parent, Map.of(Snapshot.REF_LABEL, chain.toString())));
        return snapshotter.list().stream()
                .filter(s ->
                        s.remote() && s.parent().equals(parent) && s.chain().equals(Optional.of(chain)))
                .findAny()
                .orElseThrow()
                .key();
    }

    private void ordinary(String key, String parent, String name) throws IOException {
        snapshotter.prepare(key, parent, Map.of());
        snapshotter.commit(name, key, "", Map.of());
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            Reason reason, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SnapshotException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    private static final class FakeTracing implements StartTracing {
        private final List<String> begun = new ArrayList<>();
        private final List<String> ended = new ArrayList<>();
        private Optional<Path> directory = Optional.empty();
        private boolean fails;
        private Consumer<String> onRemoved = key -> {};

        @Override
        public Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) throws IOException {
            if (fails) {
                throw new IOException("no fanotify");
            }
            begun.add(key + " " + chain);
            return directory;
        }

        @Override
        public Optional<Path> mounted(String key) {
            return ended.contains(key) || begun.isEmpty() ? Optional.empty() : directory;
        }

        @Override
        public void removed(String key) {
            onRemoved.accept(key);
            ended.add(key);
        }
    }
}
