package io.faasimage.node.gate;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The paths that a gate serves: its control socket and its mounts. */
final class GatePaths {
    private final GateConfig config;

    GatePaths(GateConfig config) {
        this.config = config;
    }

    /** Whether something is mounted where the gate should be. */
    boolean isMounted() throws IOException {
        return isMounted(config.mount());
    }

    /** Looked up below the real directory, as in the mount table. */
    private static boolean isMounted(Path mount) throws IOException {
        Path parent = directoryOf(mount);
        Path real = Files.createDirectories(parent).toRealPath();
        Optional<MountTable.Entry> entry = MountTable.read().at(real.resolve(parent.relativize(mount)));
        return entry.isPresent();
    }

    /**
     * Makes room for a gate that is started. The mount of a killed one is unmounted, since it answers every call with
     * ENOTCONN. A kept mount is not even looked at: the look would wait for the gate that is to be started.
     *
     * @param kept whether the first mount is kept for the new gate
     */
    void prepare(boolean kept) throws IOException {
        Files.createDirectories(directoryOf(config.control()));
        for (Path mount : mounts()) {
            if (!(kept && mount.equals(config.mount()))) {
                while (isMounted(mount)) {
                    Mounts.detach(mount);
                }
                Files.createDirectories(mount);
            }
        }
    }

    private List<Path> mounts() {
        return config.images().isEmpty()
                ? List.of(config.mount())
                : List.of(config.mount(), config.images().get());
    }

    private static Path directoryOf(Path file) {
        @Nullable Path parent = file.getParent();
        return parent == null ? Path.of(".") : parent;
    }
}
