package io.faasimage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.KernelVersion;
import io.faasimage.linux.MountTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class FavorDynamicModificationsTest {
    private static final String UNIFIED =
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime - cgroup2 cgroup2 rw,nsdelegate%s\n";
    private static final String FIRST_VERSION =
            "30 23 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";

    private static LeverState state(String kernel, String mounts) throws IOException {
        return FavorDynamicModifications.state(KernelVersion.parse(kernel), MountTable.parse(mounts));
    }

    @Test
    void aRemountIsOfferedWhereItCanBeUndone() throws IOException {
        assertThat(state("6.1.0-13-amd64", UNIFIED.formatted(""))).isInstanceOf(LeverState.Off.class);
        assertThat(state("6.17.3", UNIFIED.formatted(""))).isInstanceOf(LeverState.Off.class);
        assertThat(state("6.18.0", UNIFIED.formatted("")))
                .isInstanceOfSatisfying(
                        LeverState.Impossible.class,
                        impossible -> assertThat(impossible.detail()).contains("cgroup_favordynmods=true"));
    }

    @Test
    void aMountWithTheOptionIsOnWithAnyKernel() throws IOException {
        assertThat(state("6.1.0", UNIFIED.formatted(",favordynmods"))).isInstanceOf(LeverState.On.class);
        assertThat(state("6.18.0", UNIFIED.formatted(",favordynmods"))).isInstanceOf(LeverState.On.class);
    }

    @Test
    void neitherAnOldKernelNorVersionOneAloneHasIt() throws IOException {
        assertThat(state("5.15.0", UNIFIED.formatted(""))).isInstanceOf(LeverState.Impossible.class);
        assertThat(state("6.1.0", FIRST_VERSION)).isInstanceOf(LeverState.Impossible.class);
        assertThat(state("6.1.0", FIRST_VERSION + UNIFIED.formatted(""))).isInstanceOf(LeverState.Off.class);
    }
}
