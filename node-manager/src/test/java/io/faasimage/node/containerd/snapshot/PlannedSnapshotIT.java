package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.linux.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Snapshots on planned chains, with the kernel's overlayfs. Needs root. */
class PlannedSnapshotIT extends AbstractPlannedSnapshotIT {
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
    void aViewIsReadOnly() throws Exception {
        mounted(snapshotter.view("v", planned, Map.of()), root -> {
            assertThat(root.resolve("lib/a/one")).hasContent("1");
            assertThatThrownBy(() -> Files.writeString(root.resolve("lib/a/one"), "2"))
                    .isInstanceOf(IOException.class);
        });
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
}
