package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;
import org.junit.jupiter.api.Test;

class SnapshotterTest extends AbstractSnapshotterTest {
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
    void aSecondProcessOnTheSameRootIsRefused() {
        assertThatThrownBy(() -> new Snapshotter(root, plans, tracing, Clock.systemUTC()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another node-manager");
    }
}
