package io.faasimage.node.rootfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.MountTable;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataLayersTest {
    private static final Path ROOT = Path.of("/s");
    private static final Path FAST = Path.of("/f");
    private static final String HEX = "0123456789abcdef".repeat(4);
    private static final String META = "lowerdir=/s/mounts/meta/" + HEX;
    private static final String NESTED = "/s/mounts/nested/" + HEX;
    private static final String DATA = "::/f/objects::/s/objects::/s/gate/fetch::/f/late::/s/late::/s/gate/verdict";

    @TempDir
    private Path directory;

    @Test
    void theFastTierComesFirst() throws IOException {
        Events events = new Events(10, InstantSource.system());
        Path fast = Files.createDirectories(directory.resolve("f"));
        DataLayers layers = new DataLayers(ROOT, Optional.of(fast), events);
        String without = "::/s/objects::/s/gate/fetch::/s/late::/s/gate/verdict";
        assertThat(layers.text()).as("not mounted").isEqualTo(without);
        assertThat(events.recent())
                .singleElement()
                .satisfies(event -> assertThat(event.text()).contains("without the fast tier"));
        Files.createDirectory(fast.resolve("objects"));
        Files.createDirectory(fast.resolve("late"));
        assertThat(layers.text()).isEqualTo(DATA.replace("/f/", fast + "/"));
        assertThat(new DataLayers(ROOT, Optional.empty(), events).text()).isEqualTo(without);
    }

    @Test
    void containersThatWereStartedWithoutItAreCounted() {
        assertThat(without(overlay("/c", META + DATA))).isZero();
        assertThat(without(overlay("/c", META + "::/s/objects"))).isEqualTo(1);
        assertThat(without(overlay("/c", "lowerdir=mounts/meta/" + HEX + "::f/objects::s/objects")))
                .isZero();
        assertThat(without(overlay("/c", "lowerdir=/other/mounts/meta/" + HEX + "::/other/objects")))
                .as("of another node")
                .isZero();
        assertThat(without(overlay("/c", "lowerdir=/s/snapshots/1/fs:/s/snapshots/2/fs")))
                .isZero();
    }

    @Test
    void anInnerOverlayCountsWithTheContainersOnIt() {
        MountTable.Entry with = overlay(NESTED, META.replace("meta", "loop") + DATA);
        MountTable.Entry lacking = overlay(NESTED, META.replace("meta", "loop") + "::/s/objects");
        MountTable.Entry container = overlay("/c", "lowerdir=/s/snapshots/1/fs:" + NESTED);
        assertThat(without(with, container)).isZero();
        assertThat(without(lacking, container)).isEqualTo(1);
        assertThat(without(container)).as("detached").isEqualTo(1);
        assertThat(without(lacking)).as("unused").isZero();
    }

    @Test
    void aMetadataImageIsKnownByItsWholePath() {
        DataLayers layers = new DataLayers(ROOT, Optional.of(FAST), new Events(1, InstantSource.system()));
        assertThat(layers.isMetadataImage(Path.of("/s/metadata/" + HEX + ".erofs"), HEX))
                .isTrue();
        assertThat(layers.isMetadataImage(Path.of("/f/metadata/" + HEX + ".erofs"), HEX))
                .isTrue();
        assertThat(layers.isMetadataImage(Path.of("/other/metadata/" + HEX + ".erofs"), HEX))
                .isFalse();
        assertThat(layers.isMetadataImage(Path.of("/s/metadata/" + "0".repeat(64) + ".erofs"), HEX))
                .isFalse();
    }

    private static long without(MountTable.Entry... entries) {
        return DataLayers.withoutFast(new MountTable(List.of(entries)), ROOT, FAST);
    }

    private static MountTable.Entry overlay(String target, String options) {
        return new MountTable.Entry(1, 0, "0:1", "/", target, "rw", "overlay", "overlay", "rw," + options);
    }
}
