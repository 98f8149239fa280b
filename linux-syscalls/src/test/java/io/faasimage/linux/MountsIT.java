package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts; needs root. */
class MountsIT {
    /** Above the kernel's largest process ID. */
    private static final int NO_PROCESS = 4_194_305;

    @TempDir
    Path temp;

    private Path directory;
    private Path target;

    @BeforeEach
    void makeDirectories() throws IOException {
        directory = temp.toRealPath();
        target = Files.createDirectory(directory.resolve("a target"));
    }

    @AfterEach
    void unmountAll() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    @Test
    void tmpfsWithFlagsAndItsOwnOptions() throws IOException {
        Mounts.mount("none", target, "tmpfs", List.of("ro", "nosuid", "size=1m"));
        MountTable.Entry entry = MountTable.read().at(target).orElseThrow();
        assertThat(entry.type()).isEqualTo("tmpfs");
        assertThat(entry.options()).contains("ro").contains("nosuid");
        assertThat(entry.superOptions()).contains("size=1024k");
        assertThat(FileSystems.space(target).type()).isEqualTo(FileSystems.Space.TMPFS);
        Mounts.unmount(target);
        assertThat(MountTable.read().at(target)).isEmpty();
    }

    @Test
    void aMountInUseCanOnlyBeDetached() throws IOException {
        Mounts.mount("none", target, "tmpfs", 0, "");
        Path file = Files.writeString(target.resolve("file"), "x");
        try (var stream = Files.newInputStream(file)) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> Mounts.unmount(target))
                    .matches(e -> e.is(Errno.EBUSY));
            Mounts.detach(target);
            assertThat(stream.read()).isEqualTo('x');
        }
        assertThat(MountTable.read().at(target)).isEmpty();
    }

    @Test
    void bindMounts() throws IOException {
        Path source = Files.createDirectory(directory.resolve("source"));
        Mounts.bind(source, target, true);
        assertThat(MountTable.read().at(target).orElseThrow().options()).contains("ro");
    }

    @Test
    void anUnknownTypeNamesTheModule() {
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> Mounts.mount("none", target, "nosuchfs", 0, ""))
                .withMessageContaining("modprobe nosuchfs");
    }

    @Test
    void erofsOnALoopDeviceDetachesWithItsMount() throws Exception {
        Path image = Files.write(directory.resolve("image"), EmptyErofs.image());
        Path device;
        try (LoopDevice loop = LoopDevice.attach(image)) {
            device = loop.path();
            Mounts.mount(device.toString(), target, "erofs", Mounts.RDONLY, "");
        }
        Path backing = Path.of("/sys/block", device.getFileName().toString(), "loop", "backing_file");
        assertThat(backing).content().isEqualTo(image + "\n");
        assertThat(FileSystems.space(target).type()).isEqualTo(FileSystems.Space.EROFS);
        try (var files = Files.list(target)) {
            assertThat(files).isEmpty();
        }
        Mounts.unmount(target);
        Wait.until("the loop device to be released", () -> !isBacking(backing, image));
    }

    private static boolean isBacking(Path backing, Path image) {
        try {
            return Files.readString(backing).equals(image + "\n");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void whatAKilledProcessLeftOfItsProbeGoesWithTheNextOne() throws IOException {
        Path left = mounted("faasimage-probe-" + NO_PROCESS + "-1");
        List<String> others = List.of(
                mounted("probe2").resolve("mnt").toString(),
                mounted("faasimage-probe-" + ProcessHandle.current().pid() + "-3")
                        .resolve("mnt")
                        .toString());
        MountProbe.run(directory);
        assertThat(left).doesNotExist();
        assertThat(MountTable.read().below(directory))
                .extracting(MountTable.Entry::target)
                .containsExactlyInAnyOrderElementsOf(others);
    }

    private Path mounted(String probe) throws IOException {
        Path place = directory.resolve(probe);
        Mounts.mount("none", Files.createDirectories(place.resolve("mnt")), "tmpfs", 0, "");
        return place;
    }

    @Test
    void theProbeTriesEverythingAndLeavesNothing() throws IOException {
        MountProbe.Report report = MountProbe.run(directory);
        assertThat(report.checks()).hasSize(MountProbe.Feature.values().length);
        assertThat(report.checks()).allMatch(c -> c.works() == c.detail().isEmpty());
        // These make up the root file system of a planned image: a machine that runs this test has them.
        assertThat(report.checks())
                .filteredOn(c -> Set.of(
                                MountProbe.Feature.EROFS_LOOP,
                                MountProbe.Feature.OVERLAY_DATA_ONLY,
                                MountProbe.Feature.OVERLAY_WRITABLE,
                                MountProbe.Feature.FANOTIFY,
                                MountProbe.Feature.FUSE)
                        .contains(c.feature()))
                .allMatch(MountProbe.Check::works);
        assertThat(report.checks()).allMatch(c -> c.works() == c.remedy().isEmpty());
        assertThat(!report.works(MountProbe.Feature.EROFS_FILE)
                        || KernelVersion.running().atLeast(KernelVersion.EROFS_FROM_FILE))
                .isTrue();
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(target);
        }
        assertThat(MountTable.read().below(directory)).isEmpty();
    }

    @Test
    void whatDoesNotWorkHasAReasonAndARemedy() throws IOException {
        // The kernel refuses an upper directory on overlayfs.
        Path[] parts = new Path[3];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Files.createDirectory(directory.resolve("part" + i));
        }
        String options = "lowerdir=" + parts[0] + ",upperdir=" + parts[1] + ",workdir=" + parts[2];
        Mounts.mount("overlay", target, "overlay", 0, options);
        MountProbe.Check check = MountProbe.run(target)
                .check(MountProbe.Feature.OVERLAY_WRITABLE)
                .orElseThrow();
        assertThat(check.works()).isFalse();
        assertThat(check.detail()).contains("overlay");
        assertThat(check.remedy()).contains("state directory");
    }
}
