package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A snapshotter with a planned image, over the kernel's overlayfs. */
abstract class AbstractPlannedSnapshotIT {
    static final ChainId PLAN = FakePlans.chain("plan");
    static final ChainId ABOVE = FakePlans.chain("above");
    static final byte[] LARGE = new byte[300_000];

    static {
        new Random(1).nextBytes(LARGE);
    }

    @TempDir
    Path directory;

    OverlayPlans plans;
    Snapshotter snapshotter;
    Path mountPoint;
    String planned;

    @BeforeEach
    void planAnImage() throws IOException {
        plans = new OverlayPlans(directory);
        plans.plan(
                PLAN,
                Map.of(
                        "bin/große datei", LARGE,
                        "etc/hosts", "localhost".getBytes(StandardCharsets.UTF_8),
                        "lib/a/one", "1".getBytes(StandardCharsets.UTF_8)));
        Files.setAttribute(plans.metadata(PLAN), "unix:mode", 0711);
        mountPoint = Files.createDirectories(directory.resolve("mount point"));
        snapshotter = new Snapshotter(directory.resolve("root"), plans, StartTracing.NONE, Clock.systemUTC());
        assertThatThrownBy(
                        () -> snapshotter.prepare("extract-1 " + PLAN, "", Map.of(Snapshot.REF_LABEL, PLAN.toString())))
                .isInstanceOf(SnapshotException.class);
        planned = snapshotter.list().iterator().next().key();
    }

    @AfterEach
    void unmount() throws IOException {
        snapshotter.close();
        plans.close();
        for (MountTable.Entry left : MountTable.read().below(directory.toRealPath())) {
            Mounts.detach(Path.of(left.target()));
        }
    }

    @FunctionalInterface
    interface Look {
        void at(Path root) throws Exception;
    }

    /** Mounts as containerd's client does, with mount(8). */
    void mounted(List<Mount> mounts, Look look) throws Exception {
        Mount mount = mounts.getFirst();
        Command.run(
                Duration.ofSeconds(10),
                List.of(
                        "mount",
                        "-t",
                        mount.type(),
                        "-o",
                        String.join(",", mount.options()),
                        mount.source(),
                        mountPoint.toString()));
        try {
            look.at(mountPoint);
        } finally {
            Mounts.unmount(mountPoint);
        }
    }

    static void deep(Path where, String script) throws IOException, InterruptedException {
        Command.Result result = Command.attempt(
                Duration.ofMinutes(1),
                Map.of(),
                where,
                List.of("python3", "-c", "import os, sys\n" + script, where.toString()));
        assertThat(result.status()).as(result.output()).isZero();
    }
}
