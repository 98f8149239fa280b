package io.faasimage.node.plans.rootfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.MountProbe.Check;
import io.faasimage.linux.MountProbe.Feature;
import io.faasimage.linux.MountProbe.Report;
import io.faasimage.node.plans.rootfs.MountPlanner.Way;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountPlannerTest {
    private static Report without(Feature... lacking) {
        return new Report(Arrays.stream(Feature.values())
                .map(feature -> List.of(lacking).contains(feature)
                        ? new Check(feature, false, "no " + feature, "buy one")
                        : new Check(feature, true, "", ""))
                .toList());
    }

    private static Way way(MountChoice choice, Feature... lacking) {
        return MountPlanner.choose(without(lacking), choice).way();
    }

    @Test
    void takesTheKernelsOwnMountsWhereItCan() {
        assertThat(way(MountChoice.AUTO)).isEqualTo(Way.EROFS_FILE);
        assertThat(way(MountChoice.NATIVE)).isEqualTo(Way.EROFS_FILE);
        assertThat(way(MountChoice.AUTO, Feature.EROFS_FILE)).isEqualTo(Way.EROFS_LOOP);
        assertThat(way(MountChoice.AUTO, Feature.EROFS_LOOP)).isEqualTo(Way.EROFS_FILE);
        assertThat(way(MountChoice.AUTO, Feature.FANOTIFY)).isEqualTo(Way.EROFS_FILE);
    }

    @Test
    void takesTheGatesViewElsewhereAndSaysWhy() {
        MountPlanner planner = MountPlanner.choose(without(Feature.OVERLAY_DATA_ONLY), MountChoice.AUTO);
        assertThat(planner.way()).isEqualTo(Way.FUSE);
        assertThat(planner.unsupported()).isEmpty();
        assertThat(planner.describe()).startsWith("fuse:").contains("OVERLAY_DATA_ONLY", "buy one");
        assertThat(way(MountChoice.AUTO, Feature.EROFS_FILE, Feature.EROFS_LOOP))
                .isEqualTo(Way.FUSE);
        assertThat(way(MountChoice.FUSE)).isEqualTo(Way.FUSE);
    }

    @Test
    void handlesImagesAsOrdinaryOnesOnlyWithoutFuseOrWhenToldSo() {
        for (MountChoice choice : MountChoice.values()) {
            assertThat(way(choice, Feature.FUSE)).isEqualTo(Way.ORDINARY);
            assertThat(way(choice, Feature.OVERLAY_WRITABLE)).isEqualTo(Way.ORDINARY);
        }
        MountPlanner planner = MountPlanner.choose(without(Feature.OVERLAY_DATA_ONLY), MountChoice.NATIVE);
        assertThat(planner.unsupported().orElseThrow()).contains("--mounts native", "OVERLAY_DATA_ONLY");
    }

    @Test
    void namesEverythingThatLacks() {
        MountPlanner planner = MountPlanner.choose(
                without(Feature.EROFS_FILE, Feature.EROFS_LOOP, Feature.OVERLAY_DATA_ONLY), MountChoice.AUTO);
        assertThat(planner.reason()).contains("OVERLAY_DATA_ONLY does not work", "EROFS_LOOP does not work", "; ");
    }
}
