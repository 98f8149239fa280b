package io.faasimage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A remount that adds an option, on a tmpfs: that of cgroup v2 cannot be undone on each kernel. */
final class RemountIT {
    @TempDir
    private Path dir;

    @BeforeEach
    void mount() throws IOException {
        Mounts.mount("tmpfs", dir, "tmpfs", List.of("nosuid", "noexec", "relatime", "size=1024k"));
    }

    @AfterEach
    void unmount() throws IOException {
        Mounts.unmount(dir);
    }

    private MountTable.Entry entry() throws IOException {
        return MountTable.read().at(dir).orElseThrow();
    }

    @Test
    void allOtherOptionsStay() throws IOException {
        MountTable.Entry before = entry();
        FavorDynamicModifications.remount(before, "nr_inodes=77", true);
        assertThat(entry().options()).isEqualTo(before.options()).contains("nosuid", "noexec", "relatime");
        assertThat(entry().superOptions()).contains("size=1024k", "nr_inodes=77");
    }
}
