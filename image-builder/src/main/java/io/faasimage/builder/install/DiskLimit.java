package io.faasimage.builder.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The limit of a control group on the bytes a second of one disk, in the words of the OCI runtime specification.
 * Version 1 of control groups does not count what the page cache writes later; version 2 does.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#io-interface-files">cgroup-v2</a>
 */
final class DiskLimit {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private DiskLimit() {}

    /** The limit for the disk that {@code place} is on; empty when the kernel has none for it. */
    static Map<String, Object> of(Path place, long bytes) {
        try {
            long device = ((Number) Files.getAttribute(place, "unix:dev")).longValue();
            Path entry = Path.of("/sys/dev/block", major(device) + ":" + minor(device));
            if (!Files.exists(entry) || !isLimited()) {
                return Map.of();
            }
            Path disk = entry.toRealPath();
            // A partition is limited with its disk.
            if (Files.exists(disk.resolve("partition"))) {
                disk = disk.resolveSibling(".").normalize();
            }
            String[] numbers = Files.readString(disk.resolve("dev")).strip().split(":");
            List<Map<String, Object>> limit = List.of(
                    Map.of("major", Long.parseLong(numbers[0]), "minor", Long.parseLong(numbers[1]), "rate", bytes));
            return Map.of("throttleReadBpsDevice", limit, "throttleWriteBpsDevice", limit);
        } catch (IOException e) {
            throw new UncheckedIOException("could not find the disk of " + place, e);
        }
    }

    private static boolean isLimited() throws IOException {
        Path controllers = GROUPS.resolve("cgroup.controllers");
        return Files.exists(controllers)
                ? List.of(Files.readString(controllers).strip().split(" ")).contains("io")
                : Files.exists(GROUPS.resolve("blkio/blkio.throttle.write_bps_device"));
    }

    /** As gnu_dev_major(3). */
    private static long major(long device) {
        return (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
    }

    private static long minor(long device) {
        return (device & 0xff) | (device >>> 12 & ~0xffL);
    }
}
