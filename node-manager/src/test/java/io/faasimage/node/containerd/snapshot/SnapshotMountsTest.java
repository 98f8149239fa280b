package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotMountsTest extends AbstractSnapshotterTest {
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
    void whatAClientIsAboutToCompareIsFetchedAsAWhole() throws IOException {
        plans.planned.add(BASE);
        String base = claim("", BASE);
        snapshotter.view("ns/8/image mounted somewhere", base, Map.of());
        assertThat(plans.readWhole).isEmpty();
        snapshotter.view("ns/9/" + BASE + "-parent-view-1234-abcd", base, Map.of());
        assertThat(plans.readWhole).containsExactly(BASE);
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
}
