package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.rootfs.RootLayers;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options and labels besides the layers: as with containerd's own overlayfs snapshotter. */
class SnapshotSettingsTest {
    private static final ChainId PLAN = FakePlans.chain("plan");
    private final FakePlans plans = new FakePlans() {
        @Override
        public RootLayers open(ChainId chain, Purpose purpose) {
            return purpose.nested() ? new RootLayers("/tmp", false) : new RootLayers("/usr::/tmp", true);
        }
    };

    @TempDir
    Path root;

    private Snapshotter snapshotter(SnapshotSettings settings) throws IOException {
        Snapshotter snapshotter =
                new Snapshotter(root, plans, StartTracing.NONE, StartEvents.NONE, settings, Clock.systemUTC());
        snapshotter.prepare("ns/1/extract-1 a", "", Map.of());
        snapshotter.commit("a", "ns/1/extract-1 a", "", Map.of());
        return snapshotter;
    }

    @Test
    void furtherOptionsAreForWhatIsWrittenTo() throws IOException {
        try (Snapshotter snapshotter = snapshotter(SnapshotSettings.of("volatile,xino=off", Optional.empty(), false))) {
            assertThat(snapshotter.prepare("c", "a", Map.of()).getFirst().options())
                    .contains("volatile", "xino=off");
            assertThat(snapshotter.view("v", "a", Map.of()).getFirst().options())
                    .doesNotContain("volatile");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lowerdir=/etc", "metacopy=off", "volatile upperdir=/x", "lowerdir+=/x", "context=x", "a=b:c"})
    void optionsThatAreTheSnapshottersOwnAreRefused(String option) {
        assertThatThrownBy(() -> SnapshotSettings.of(option, Optional.empty(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(option);
    }

    @Test
    void rootFileSystemsThatAreMountedHereHaveTheLabelThatClientsCannotGiveThem() throws IOException {
        SnapshotSettings settings =
                SnapshotSettings.of("", Optional.of("system_u:object_r:container_file_t:s0"), false);
        try (Snapshotter snapshotter = snapshotter(settings);
                SnapshotStore none = SnapshotStore.open(root.resolve("none.db"))) {
            SnapshotMounts mounts = mounts(none, settings);
            String label = "context=\"system_u:object_r:container_file_t:s0\"";
            Snapshot active = snapshotter.stat(prepared(snapshotter, "c", Map.of()));
            assertThat(mounts.of(active, planned(List.of(), false), false).options())
                    .contains(label);
            // These are given to the client as overlays, to which it adds a label itself.
            assertThat(mounts.of(active, planned(List.of(1L), false), false).options())
                    .doesNotContain(label);
        }
    }

    @Test
    void theUpperDirectoryIsALabelWhenItIsAskedFor() throws IOException {
        String label = "containerd.io/snapshot/overlay.upperdir";
        try (Snapshotter snapshotter = snapshotter(SnapshotSettings.of("", Optional.empty(), true))) {
            assertThat(snapshotter.stat("a").labels())
                    .containsEntry(label, root.resolve("snapshots/1/fs").toString());
            assertThat(snapshotter.list()).allMatch(s -> s.labels().containsKey(label));
        }
        try (Snapshotter without = new Snapshotter(root, plans, StartTracing.NONE, Clock.systemUTC())) {
            assertThat(without.stat("a").labels()).doesNotContainKey(label);
        }
    }

    @Test
    void idsOfAUserNamespaceAreMappedByTheClientAsWithOverlayfs() throws IOException {
        try (Snapshotter snapshotter = snapshotter(SnapshotSettings.usual())) {
            Map<String, String> labels = mapped();
            assertThat(snapshotter.prepare("c", "a", labels).getFirst().options())
                    .contains(
                            "uidmap=" + labels.get("containerd.io/snapshot/uidmapping"),
                            "gidmap=" + labels.get("containerd.io/snapshot/gidmapping"));
            assertThatThrownBy(() -> snapshotter.prepare(
                            "wrong",
                            "a",
                            Map.of(
                                    "containerd.io/snapshot/uidmapping", "1:2",
                                    "containerd.io/snapshot/gidmapping", "1:2")))
                    .isInstanceOfSatisfying(
                            SnapshotException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_ARGUMENT));
        }
    }

    @Test
    void whatTheClientHasGivenToTheNamespaceIsNotMappedAgain() throws IOException {
        String made = "sha256:" + "a".repeat(64);
        try (Snapshotter snapshotter = snapshotter(SnapshotSettings.usual())) {
            snapshotter.prepare("ns/5/" + made + "-remap", "a", Map.of());
            snapshotter.commit("ns/6/" + made, "ns/5/" + made + "-remap", "", Map.of());
            assertThat(snapshotter
                            .prepare("c", "ns/6/" + made, mapped())
                            .getFirst()
                            .options())
                    .noneMatch(option -> option.startsWith("uidmap"));
        }
    }

    @Test
    void layersOnAPlanCannotBeMappedAndTheRefusalSaysWhatToDo() throws IOException {
        try (Snapshotter snapshotter = snapshotter(SnapshotSettings.usual());
                SnapshotStore none = SnapshotStore.open(root.resolve("none.db"))) {
            SnapshotMounts mounts = mounts(none, SnapshotSettings.usual());
            Snapshot active = snapshotter.stat(prepared(snapshotter, "c", mapped()));
            assertThat(mounts.of(active, planned(List.of(), false), false).idMap())
                    .isPresent();
            assertThat(mounts.of(active, planned(List.of(1L), true), false).idMap())
                    .isEmpty();
            assertThatThrownBy(() -> mounts.of(active, planned(List.of(1L), false), false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("remap-ids");
        }
    }

    private SnapshotMounts mounts(SnapshotStore none, SnapshotSettings settings) throws IOException {
        return new SnapshotMounts(new Ancestry(none), new SnapshotDirectories(root), plans, settings);
    }

    /** To ids that this test may give files to, also when it is not run by root. */
    private Map<String, String> mapped() throws IOException {
        return Map.of(
                "containerd.io/snapshot/uidmapping", "0:" + Files.getAttribute(root, "unix:uid") + ":65536",
                "containerd.io/snapshot/gidmapping", "0:" + Files.getAttribute(root, "unix:gid") + ":65536");
    }

    private static String prepared(Snapshotter snapshotter, String key, Map<String, String> labels) throws IOException {
        snapshotter.prepare(key, "", labels);
        return key;
    }

    private static Ancestry.Below planned(List<Long> above, boolean owned) {
        return new Ancestry.Below(above, Optional.of(PLAN), owned);
    }
}
