package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.linux.LinuxException;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.libc.Libc;
import io.faasimage.node.starts.trace.StartTracing;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Root file systems that are mounted here and bound by clients. Needs root. */
class OwnMountsIT extends AbstractPlannedSnapshotIT {
    @Test
    void aClientIsGivenADirectoryToBindThatEndsWithTheSnapshot() throws Exception {
        List<Mount> mounts = snapshotter.prepare("c", planned, Map.of());
        Path root = directory.resolve("root/snapshots/2/root");
        assertThat(mounts).containsExactly(Mount.bind(root, true));
        assertThat(root.resolve("etc/hosts")).hasContent("localhost");

        snapshotter.close();
        snapshotter = new Snapshotter(directory.resolve("root"), plans, StartTracing.NONE, Clock.systemUTC());
        int id = mountId(root);
        assertThat(snapshotter.mounts("c")).isEqualTo(mounts);
        assertThat(mountId(root)).isEqualTo(id);

        snapshotter.remove("c");
        snapshotter.cleanup();
        assertThat(root).doesNotExist();
        assertThat(MountTable.read().below(directory.toRealPath())).isEmpty();
    }

    @Test
    void aMountOnAHungGateHoldsNobodyElseUpAndEndsWithTheGate() throws Exception {
        snapshotter.prepare("planned", planned, Map.of());
        snapshotter.prepare("ordinary", "", Map.of());
        Path gate = Files.createDirectories(directory.resolve("gate"));
        try (ExecutorService calls = Executors.newCachedThreadPool(
                        Thread.ofPlatform().daemon().factory());
                MuteFuse mute = new MuteFuse(gate)) {
            plans.gate = Optional.of(gate);
            Future<List<Mount>> hung = calls.submit(() -> snapshotter.prepare("hung", planned, Map.of()));
            Wait.until("the mount", () -> Files.exists(directory.resolve("root/snapshots/4/root")));
            for (Callable<?> other : List.<Callable<?>>of(
                    () -> snapshotter.prepare("other", "", Map.of()),
                    () -> snapshotter.mounts("planned"),
                    () -> snapshotter.mounts("ordinary"),
                    () -> removed("planned"),
                    () -> removed("ordinary"))) {
                calls.submit(other).get(20, TimeUnit.SECONDS);
            }
            assertThat(hung).isNotDone();
            mute.close();
            assertThatThrownBy(() -> hung.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(LinuxException.class);
        }
    }

    /** A FUSE file system that answers nothing until it is closed, as a gate does that hangs. */
    private static final class MuteFuse implements AutoCloseable {
        private static final int O_RDWR_CLOEXEC = 0x80002;
        private final int device = Libc.open("/dev/fuse".getBytes(StandardCharsets.UTF_8), O_RDWR_CLOEXEC);
        private boolean closed;

        MuteFuse(Path directory) throws IOException {
            Mounts.mount("mute", directory, "fuse", 0, "fd=" + device + ",rootmode=40000,user_id=0,group_id=0");
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Libc.close(device);
            }
        }
    }

    private String removed(String key) throws IOException {
        snapshotter.remove(key);
        return key;
    }

    /** The kernel lists mounts in the order in which they were made. */
    private static int place(Path root) throws IOException {
        MountTable table = MountTable.read();
        return table.entries().indexOf(table.at(root.toRealPath()).orElseThrow());
    }

    private static int mountId(Path root) throws IOException {
        return MountTable.read().at(root.toRealPath()).orElseThrow().id();
    }

    @Test
    void afterTheGateDiedAContainerThatStartsAgainGetsANewMountAndOneThatRunsKeepsIts() throws Exception {
        List<Mount> stopped = snapshotter.prepare("stopped", planned, Map.of());
        List<Mount> running = snapshotter.prepare("running", planned, Map.of());
        Path first = Path.of(stopped.getFirst().source());
        Path second = Path.of(running.getFirst().source());
        mounted(running, container -> {
            assertThat(place(first)).isLessThan(place(second));
            snapshotter.gateReplaced();
            assertThat(snapshotter.mounts("stopped")).isEqualTo(stopped);
            assertThat(snapshotter.mounts("running")).isEqualTo(running);
            assertThat(place(first)).as("mounted last").isGreaterThan(place(second));
            assertThat(container.resolve("etc/hosts")).hasContent("localhost");
        });
    }
}
