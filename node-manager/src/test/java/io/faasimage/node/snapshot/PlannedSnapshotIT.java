package io.faasimage.node.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.libc.Libc;
import io.faasimage.node.trace.StartTracing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots on planned chains, with the kernel's overlayfs. Needs root. */
class PlannedSnapshotIT {
    private static final ChainId PLAN = FakePlans.chain("plan");
    private static final ChainId ABOVE = FakePlans.chain("above");
    private static final int SNAPSHOTS = 200;
    private static final byte[] LARGE = new byte[300_000];

    static {
        new Random(1).nextBytes(LARGE);
    }

    @TempDir
    Path directory;

    private OverlayPlans plans;
    private Snapshotter snapshotter;
    private Path mountPoint;
    private String planned;

    @BeforeEach
    void planAnImage() throws IOException {
        plans = new OverlayPlans(directory);
        plans.plan(
                PLAN,
                Map.of(
                        "bin/große datei", LARGE,
                        "etc/hosts", "localhost".getBytes(StandardCharsets.UTF_8),
                        "lib/a/one", "1".getBytes(StandardCharsets.UTF_8)));
        Files.setAttribute(plans.metadata(PLAN), "unix:mode", 0711);
        mountPoint = Files.createDirectories(directory.resolve("mount point"));
        snapshotter = new Snapshotter(directory.resolve("root"), plans, StartTracing.none(), Clock.systemUTC());
        assertThatThrownBy(
                        () -> snapshotter.prepare("extract-1 " + PLAN, "", Map.of(Snapshot.REF_LABEL, PLAN.toString())))
                .isInstanceOf(SnapshotException.class);
        planned = snapshotter.list().iterator().next().key();
    }

    @AfterEach
    void unmount() throws IOException {
        snapshotter.close();
        plans.close();
        for (MountTable.Entry left : MountTable.read().below(directory.toRealPath())) {
            Mounts.detach(Path.of(left.target()));
        }
    }

    @Test
    void aContainerSeesThePlannedFilesAndWritesToItsOwn() throws Exception {
        List<Mount> mounts = snapshotter.prepare("c", planned, Map.of());

        mounted(mounts, root -> {
            assertThat(root.resolve("bin/große datei")).hasBinaryContent(LARGE);
            Files.writeString(root.resolve("etc/hosts"), "changed");
            assertThat((int) Files.getAttribute(root, "unix:mode") & 07777).isEqualTo(0711);
        });

        assertThat(snapshotter.usage("c").inodes()).isEqualTo(3);
        mounted(
                snapshotter.mounts("c"),
                root -> assertThat(root.resolve("etc/hosts")).hasContent("changed"));
    }

    @Test
    void aClientIsGivenADirectoryToBindThatEndsWithTheSnapshot() throws Exception {
        List<Mount> mounts = snapshotter.prepare("c", planned, Map.of());
        Path root = directory.resolve("root/snapshots/2/root");
        assertThat(mounts).containsExactly(Mount.bind(root, true));
        assertThat(root.resolve("etc/hosts")).hasContent("localhost");

        snapshotter.close();
        snapshotter = new Snapshotter(directory.resolve("root"), plans, StartTracing.none(), Clock.systemUTC());
        int id = mountId(root);
        assertThat(snapshotter.mounts("c")).isEqualTo(mounts);
        assertThat(mountId(root)).isEqualTo(id);

        snapshotter.remove("c");
        snapshotter.cleanup();
        assertThat(root).doesNotExist();
        assertThat(MountTable.read().below(directory.toRealPath())).isEmpty();
    }

    @Test
    void aMountOnAHungGateHoldsNobodyElseUpAndEndsWithTheGate() throws Exception {
        snapshotter.prepare("planned", planned, Map.of());
        snapshotter.prepare("ordinary", "", Map.of());
        Path gate = Files.createDirectories(directory.resolve("gate"));
        try (ExecutorService calls = Executors.newCachedThreadPool(
                        Thread.ofPlatform().daemon().factory());
                MuteFuse mute = new MuteFuse(gate)) {
            plans.gate = Optional.of(gate);
            Future<List<Mount>> hung = calls.submit(() -> snapshotter.prepare("hung", planned, Map.of()));
            await(() -> Files.exists(directory.resolve("root/snapshots/4/root")));
            for (Callable<?> other : List.<Callable<?>>of(
                    () -> snapshotter.prepare("other", "", Map.of()),
                    () -> snapshotter.mounts("planned"),
                    () -> snapshotter.mounts("ordinary"),
                    () -> removed("planned"),
                    () -> removed("ordinary"))) {
                calls.submit(other).get(20, TimeUnit.SECONDS);
            }
            assertThat(hung).isNotDone();
            mute.close();
            assertThatThrownBy(() -> hung.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(LinuxException.class);
        }
    }

    /** A FUSE file system that answers nothing until it is closed, as a gate does that hangs. */
    private static final class MuteFuse implements AutoCloseable {
        private static final int O_RDWR_CLOEXEC = 0x80002;
        private final int device = Libc.open("/dev/fuse".getBytes(StandardCharsets.UTF_8), O_RDWR_CLOEXEC);
        private boolean closed;

        MuteFuse(Path directory) throws IOException {
            Mounts.mount("mute", directory, "fuse", 0, "fd=" + device + ",rootmode=40000,user_id=0,group_id=0");
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Libc.close(device);
            }
        }
    }

    private String removed(String key) throws IOException {
        snapshotter.remove(key);
        return key;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** The kernel lists mounts in the order in which they were made. */
    private static int place(Path root) throws IOException {
        MountTable table = MountTable.read();
        return table.entries().indexOf(table.at(root.toRealPath()).orElseThrow());
    }

    private static int mountId(Path root) throws IOException {
        return MountTable.read().at(root.toRealPath()).orElseThrow().id();
    }

    @Test
    void afterTheGateDiedAContainerThatStartsAgainGetsANewMountAndOneThatRunsKeepsIts() throws Exception {
        List<Mount> stopped = snapshotter.prepare("stopped", planned, Map.of());
        List<Mount> running = snapshotter.prepare("running", planned, Map.of());
        Path first = Path.of(stopped.getFirst().source());
        Path second = Path.of(running.getFirst().source());
        mounted(running, container -> {
            assertThat(place(first)).isLessThan(place(second));
            snapshotter.gateReplaced();
            assertThat(snapshotter.mounts("stopped")).isEqualTo(stopped);
            assertThat(snapshotter.mounts("running")).isEqualTo(running);
            assertThat(place(first)).as("mounted last").isGreaterThan(place(second));
            assertThat(container.resolve("etc/hosts")).hasContent("localhost");
        });
    }

    @Test
    void aViewIsReadOnly() throws Exception {
        mounted(snapshotter.view("v", planned, Map.of()), root -> {
            assertThat(root.resolve("lib/a/one")).hasContent("1");
            assertThatThrownBy(() -> Files.writeString(root.resolve("lib/a/one"), "2"))
                    .isInstanceOf(IOException.class);
        });
    }

    @Test
    void aCommittedLayerHasWholeFiles() throws Exception {
        FileTime old = FileTime.from(Instant.parse("2020-01-02T03:04:05.123456789Z"));
        mounted(snapshotter.prepare("build", planned, Map.of()), root -> {
            Files.setAttribute(root.resolve("bin/große datei"), "unix:mode", 0600);
            Files.setAttribute(root.resolve("bin/große datei"), "unix:uid", 12);
            Files.setLastModifiedTime(root.resolve("bin/große datei"), old);
            Files.move(root.resolve("lib/a"), root.resolve("lib/moved"));
        });
        Path upper = directory.resolve("root/snapshots/2/fs");
        assertThat(StubFiles.in(upper)).isEqualTo(new StubFiles.Count(1, "bin/große datei"));

        snapshotter.commit("layer", "build", "", Map.of());

        assertThat(StubFiles.in(upper).number()).isZero();
        assertThat(upper.resolve("bin/große datei")).hasBinaryContent(LARGE);
        assertThat(snapshotter.usage("layer").bytes()).isGreaterThanOrEqualTo(LARGE.length);
        assertThat(MountTable.read().below(directory.toRealPath())).isEmpty();
        mounted(snapshotter.prepare("next", "layer", Map.of()), root -> {
            Path file = root.resolve("bin/große datei");
            assertThat(file).hasBinaryContent(LARGE);
            assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(0600);
            assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(12);
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(old);
            assertThat(root.resolve("lib/moved/one")).hasContent("1");
            assertThat(root.resolve("lib/a")).doesNotExist();
            assertThat(root.resolve("etc/hosts")).hasContent("localhost");
        });
        mounted(
                snapshotter.view("look", "layer", Map.of()),
                root -> assertThat(root.resolve("lib/moved/one")).hasContent("1"));
    }

    @Test
    void aContainerWhoseFilesNeedTheKernelsMountIsNotShownWithoutThem() throws Exception {
        mounted(snapshotter.prepare("changed", planned, Map.of()), root -> {
            Files.setAttribute(root.resolve("bin/große datei"), "unix:mode", 0600);
        });
        snapshotter.prepare("unchanged", planned, Map.of());
        plans.shownByGate = true;

        assertThatThrownBy(() -> snapshotter.mounts("changed"))
                .hasMessageContaining("große datei")
                .hasMessageContaining("--mounts native");
        mounted(
                snapshotter.mounts("unchanged"),
                root -> assertThat(root.resolve("bin/große datei")).hasBinaryContent(LARGE));
    }

    @Test
    void aMountedSnapshotIsNotCommitted() throws Exception {
        mounted(snapshotter.prepare("build", planned, Map.of()), root -> {
            Files.setAttribute(root.resolve("etc/hosts"), "unix:mode", 0600);
            assertThatThrownBy(() -> snapshotter.commit("layer", "build", "", Map.of()))
                    .isInstanceOf(SnapshotException.class)
                    .hasMessageContaining("still mounted");
        });
    }

    @Test
    void anObjectThatIsMissingFailsTheCommitAndNothingElse() throws Exception {
        mounted(
                snapshotter.prepare("build", planned, Map.of()),
                root -> Files.setAttribute(root.resolve("bin/große datei"), "unix:mode", 0600));
        Command.run(Duration.ofSeconds(10), List.of("mv", directory + "/objects", directory + "/away"));
        Files.createDirectories(directory.resolve("objects"));

        assertThatThrownBy(() -> snapshotter.commit("layer", "build", "", Map.of()))
                .isInstanceOf(IOException.class);

        assertThat(snapshotter.stat("build").kind()).isEqualTo(SnapshotKind.ACTIVE);
        assertThat(MountTable.read().below(directory.toRealPath())).isEmpty();
    }

    @Test
    void ordinaryLayersLieOnTheNestedMount() throws Exception {
        Map<String, String> label = Map.of(Snapshot.REF_LABEL, ABOVE.toString());
        mounted(snapshotter.prepare("extract-2 " + ABOVE, planned, label), root -> {
            Files.writeString(root.resolve("bin/große datei"), "more", StandardOpenOption.APPEND);
            Files.delete(root.resolve("etc/hosts"));
            Files.setAttribute(root.resolve("lib/a/one"), "unix:mode", 0600);
        });
        snapshotter.commit("ns/2/" + ABOVE, "extract-2 " + ABOVE, "", label);

        mounted(snapshotter.prepare("c", "ns/2/" + ABOVE, Map.of()), root -> {
            assertThat(Files.size(root.resolve("bin/große datei"))).isEqualTo(LARGE.length + 4L);
            assertThat(root.resolve("etc/hosts")).doesNotExist();
            assertThat(root.resolve("lib/a/one")).hasContent("1");
        });
        assertThat(StubFiles.in(directory.resolve("root/snapshots/2/fs")).number())
                .isZero();
    }

    @FunctionalInterface
    private interface Look {
        void at(Path root) throws Exception;
    }

    /** Mounts as containerd's client does, with mount(8). */
    private void mounted(List<Mount> mounts, Look look) throws Exception {
        Mount mount = mounts.getFirst();
        Command.run(
                Duration.ofSeconds(10),
                List.of(
                        "mount",
                        "-t",
                        mount.type(),
                        "-o",
                        String.join(",", mount.options()),
                        mount.source(),
                        mountPoint.toString()));
        try {
            look.at(mountPoint);
        } finally {
            Mounts.unmount(mountPoint);
        }
    }

    @Test
    void aContainerOfAUserNamespaceOwnsItsFilesAndNoneIsCopied() throws Exception {
        Map<String, String> labels = Map.of(
                "containerd.io/snapshot/uidmapping", "0:100000:65536",
                "containerd.io/snapshot/gidmapping", "0:100000:65536");

        mounted(snapshotter.prepare("c", planned, labels), root -> {
            assertThat(Files.getAttribute(root, "unix:uid")).isEqualTo(100_000);
            assertThat(Files.getAttribute(root.resolve("etc/hosts"), "unix:uid"))
                    .isEqualTo(100_000);
            assertThat(Files.getAttribute(root.resolve("lib/a"), "unix:gid")).isEqualTo(100_000);
            assertThat(root.resolve("bin/große datei")).hasBinaryContent(LARGE);
            Files.writeString(root.resolve("etc/hosts"), "changed");
        });

        assertThat(snapshotter.usage("c").inodes()).isEqualTo(3);
        assertThat(directory.resolve("root/snapshots/2/ids")).doesNotExist();
        snapshotter.remove("c");
        assertThat(MountTable.read().below(directory.toRealPath())).isEmpty();
    }

    @Test
    void aStubIsFilledHoweverLongItsPathIs() throws Exception {
        mounted(snapshotter.prepare("build", planned, Map.of()), root -> deep(root, """
                for i in range(40):
                    os.mkdir("d" * 200)
                    os.chdir("d" * 200)
                os.rename(sys.argv[1] + "/bin/große datei", "moved")
                """));
        Path upper = directory.resolve("root/snapshots/2/fs");
        assertThat(StubFiles.in(upper).number()).isEqualTo(1);

        snapshotter.commit("layer", "build", "", Map.of());

        assertThat(StubFiles.in(upper).number()).isZero();
        Files.write(directory.resolve("original"), LARGE);
        deep(upper, """
                for i in range(40):
                    os.chdir("d" * 200)
                assert open("moved", "rb").read() == open(sys.argv[1] + "/../../../../original", "rb").read()
                """);
        snapshotter.remove("layer");
        snapshotter.cleanup();
        assertThat(directory.resolve("root/snapshots/2")).doesNotExist();
    }

    private static void deep(Path where, String script) throws IOException, InterruptedException {
        Command.Result result = Command.attempt(
                Duration.ofMinutes(1),
                Map.of(),
                where,
                List.of("python3", "-c", "import os, sys\n" + script, where.toString()));
        assertThat(result.status()).as(result.output()).isZero();
    }

    @Test
    void aRemovalGoesOnPastAFileThatCannotBeDeleted() throws Exception {
        snapshotter.prepare("c", "", Map.of());
        Path files = directory.resolve("root/snapshots/2/fs");
        Files.createDirectories(files.resolve("a/deep"));
        Path fixed = Files.writeString(files.resolve("a/fixed"), "x");
        Files.writeString(files.resolve("a/deep/file"), "x");
        Files.writeString(files.resolve("z"), "x");
        Path left = directory.resolve("root/snapshots/rm-2/fs");
        Command.run(Duration.ofSeconds(10), List.of("chattr", "+i", fixed.toString()));
        try {
            snapshotter.remove("c");
            snapshotter.cleanup();
            try (var entries = Files.walk(left)) {
                assertThat(entries).containsExactlyInAnyOrder(left, left.resolve("a"), left.resolve("a/fixed"));
            }
        } finally {
            Command.run(
                    Duration.ofSeconds(10),
                    List.of("chattr", "-i", left.resolve("a/fixed").toString()));
        }
        snapshotter.cleanup();
        assertThat(left.getParent()).doesNotExist();
    }

    @Test
    void aFullDiskLetsEverySnapshotBeRemoved() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        Mounts.mount("none", disk, "tmpfs", List.of("size=8m"));
        try (Snapshotter full = new Snapshotter(disk, plans, StartTracing.none(), Clock.systemUTC())) {
            for (int i = 0; i < SNAPSHOTS; i++) {
                full.prepare("ns/1/c" + i, "", Map.of());
            }
            fillUp(disk.resolve("of others"));

            for (int i = 0; i < SNAPSHOTS; i++) {
                full.remove("ns/1/c" + i);
                fillUp(disk.resolve("of others, later"));
            }
            full.cleanup();

            assertThat(full.list()).isEmpty();
            assertThat(disk.resolve("snapshots")).isEmptyDirectory();
            Files.delete(disk.resolve("of others"));
            Files.delete(disk.resolve("of others, later"));
            full.prepare("ns/1/again", "", Map.of());
        } finally {
            Mounts.detach(disk);
        }
    }

    private static void fillUp(Path file) {
        byte[] page = new byte[4096];
        try (OutputStream output = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                output.write(page);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }
}
