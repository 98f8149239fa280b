package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.linux.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Layers out of containers on planned images. Needs root. */
class LayerCommitsIT extends AbstractPlannedSnapshotIT {
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
}
